import { z } from 'zod';
import { isGtin13 } from '#contracts/index.ts';

/** GTIN argument of a command. */
export const gtinArgument = z.string().refine(isGtin13, { error: 'is not a GTIN-13 with a valid check digit' });
