import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Orders rows as their values stand in a list; an empty list says nothing. */
export function positionIn(column: SQLWrapper, values: readonly (number | string)[]): SQL[] {
  if (values.length === 0) return [];
  const cases = values.map((value, position) => sql`when ${value} then ${sql.raw(String(position))}`);
  return [sql`case ${column} ${sql.join(cases, sql` `)} end`];
}
