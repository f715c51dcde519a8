import { z } from 'zod';

/** Values of the interface. Others are parsed as `unknown`, with a warning. */
export const availability = z.enum(['unknown', 'available', 'limited', 'not_available']);

export type Availability = z.infer<typeof availability>;
