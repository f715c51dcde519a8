import type { Pool } from 'pg';

/** Statements that Postgres plans. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Who uses a statement so often will use it again. */
const OFTEN = 5;

/** Each takes some ten kilobytes of each connection of the database server. */
const MAX_NAMED = 150;

/** So many are counted before they are used often. */
const MAX_COUNTED = 2000;

/** Longer ones write many rows, and are hardly ever the same twice. */
const MAX_LENGTH = 32_768;

/**
 * Gives names to statements that are used often, on all connections of a pool that were not opened yet: the database
 * server reads and plans a named one once for each connection.
 */
export function nameStatements(pool: Pool): void {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_NAMED) return known;
    if (sql.length > MAX_LENGTH || !PLANNED.test(sql)) return undefined;
    const used = (uses.get(sql) ?? 0) + 1;
    if (used < OFTEN) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(sql, used);
      return undefined;
    }
    uses.delete(sql);
    names.set(sql, `s${names.size}`);
    return names.get(sql);
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    // `query` has a type for each way to call it.
    client.query = ((asked: unknown, ...rest: unknown[]) =>
      query(
        // Without values it may be several.
        isUnnamed(asked) && Array.isArray(rest[0]) && rest[0].length > 0
          ? { ...asked, name: nameOf(asked.text) }
          : asked,
        ...rest,
      )) as typeof client.query;
  });
}

function isUnnamed(asked: unknown): asked is { text: string } {
  return (
    typeof asked === 'object' &&
    asked !== null &&
    'text' in asked &&
    typeof asked.text === 'string' &&
    (!('name' in asked) || !asked.name)
  );
}
