import type { Snapshot } from './open-snapshot.ts';

/** For tests: every row of every table, as it lies in the file. */
export function dumpSnapshot({ database }: Pick<Snapshot, 'database'>): Record<string, unknown[]> {
  const tables = database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM main."${String(name)}"`).all()]),
  );
}
