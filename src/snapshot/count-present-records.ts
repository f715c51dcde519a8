import type { DatabaseSync } from 'node:sqlite';

export interface RecordCount {
  /** `product`, or the kind of another record. */
  kind: string;
  /** Products only. */
  language: string | undefined;
  count: number;
}

/** Counts the present records of each kind; products by language. */
export function countPresentRecords(database: DatabaseSync): RecordCount[] {
  return database
    .prepare(
      `SELECT 'product' AS kind, language, count(*) AS known FROM main.products WHERE state = 'present' GROUP BY language
       UNION ALL SELECT kind, NULL, count(*) FROM main.records WHERE state = 'present' GROUP BY kind`,
    )
    .all()
    .map((row) => ({
      kind: String(row['kind']),
      language: row['language'] === null ? undefined : String(row['language']),
      count: Number(row['known']),
    }));
}
