import { z } from 'zod';

/** The closed list of the interface. A value outside it reads as `unknown`, with a warning. */
export const availability = z.enum(['unknown', 'available', 'limited', 'not_available']);

export type Availability = z.infer<typeof availability>;
