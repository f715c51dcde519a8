/**
 * One line about an error for the log. Reports the first cause of a chain, because the errors above it quote statements
 * with their values.
 */
export function describeFault(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? `${cause.name}: ${cause.message.split('\n', 1)[0]}` : 'a fault that is no error';
}
