import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Orders text the same on every database, whatever its locale. */
export function bytewise(text: SQLWrapper): SQL {
  return sql`${text} collate "C"`;
}
