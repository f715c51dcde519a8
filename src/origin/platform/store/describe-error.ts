import { DrizzleQueryError } from 'drizzle-orm';
import { toSingleLine } from '#contracts/clean-texts.ts';

/**
 * Describes an error with its causes on one log line. Parameters of a failed statement are omitted, as they may be
 * secrets or complete texts.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return toSingleLine(String(error));
  const { cause } = error;
  // A host with several unreachable addresses: the error itself has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeError).join(', ');
  if (error instanceof DrizzleQueryError && cause !== undefined) return describeError(cause);
  // Other errors may include the message of a failed statement.
  const [message = ''] = error.message.split('\nparams:');
  const summary = toSingleLine(message);
  return cause === undefined ? summary : `${summary}: ${describeError(cause)}`;
}
