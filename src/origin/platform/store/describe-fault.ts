import { DrizzleQueryError } from 'drizzle-orm';

/**
 * What happened and why, for the log. Of a failed statement it has only what the store says: its values may be secrets or
 * whole texts.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (error instanceof DrizzleQueryError && cause !== undefined) return describeFault(cause);
  // The message of such an error, as others may have taken it over.
  const [what = ''] = error.message.split('\nparams:');
  return cause === undefined ? what : `${what}: ${describeFault(cause)}`;
}
