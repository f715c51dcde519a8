import { DrizzleQueryError } from 'drizzle-orm';
import { onOneLine } from '#contracts/clean-texts.ts';

/**
 * What happened and why, as a line of the log. Of a failed statement it has only what the store says: its values may be
 * secrets or whole texts.
 */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return onOneLine(String(error));
  const { cause } = error;
  // A host with several addresses, none of which answers: the error itself has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeFault).join(', ');
  if (error instanceof DrizzleQueryError && cause !== undefined) return describeFault(cause);
  // The message of such an error, as others may have taken it over.
  const [message = ''] = error.message.split('\nparams:');
  const what = onOneLine(message);
  return cause === undefined ? what : `${what}: ${describeFault(cause)}`;
}
