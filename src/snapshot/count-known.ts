import type { DatabaseSync } from 'node:sqlite';
import type { RecordKind } from './rows.ts';

/** How many records of each kind are present in the snapshot; products count once for each language. */
export function countKnown(database: DatabaseSync): Map<RecordKind | 'product', number> {
  const rows = database
    .prepare(
      `SELECT 'product' AS kind, count(*) AS known FROM products WHERE state = 'present'
       UNION ALL SELECT kind, count(*) FROM records WHERE state = 'present' GROUP BY kind`,
    )
    .all();
  return new Map(rows.map((row) => [String(row['kind']) as RecordKind | 'product', Number(row['known'])]));
}
