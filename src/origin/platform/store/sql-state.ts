/**
 * The SQLSTATE of an error from the store, such as `23505` for a row that exists already; looks through the
 * wrappers that the query builder puts around it. `undefined` if the error isn't Postgres' own.
 */
export function sqlState(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && typeof inner.code === 'string' && /^[0-9A-Z]{5}$/.test(inner.code)) return inner.code;
  }
  return undefined;
}
