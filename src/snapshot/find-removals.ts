import type { DatabaseSync } from 'node:sqlite';

export interface Removal {
  /** `product`, or the kind of another record. */
  kind: string;
  id: string;
  /** Products only. */
  language: string | undefined;
  /**
   * `gone`: the interface says so. `unlisted`: our own list or the list of languages no longer names it.
   * `missing`: a list that was read to its end doesn't hold it.
   */
  reason: 'gone' | 'unlisted' | 'missing';
}

/** What committing the staging area would take out of the catalogue, in a fixed order. */
export function findRemovals(database: DatabaseSync): Removal[] {
  return database
    .prepare(REMOVALS)
    .all()
    .map((row) => ({
      kind: String(row['kind']),
      id: String(row['id']),
      language: row['language'] === null ? undefined : String(row['language']),
      reason: String(row['reason']) as Removal['reason'],
    }));
}

export const REMOVALS = `
SELECT 'product' AS kind, p.gtin AS id, p.language AS language,
       CASE WHEN s.outcome = 'gone' THEN 'gone' ELSE 'unlisted' END AS reason
  FROM main.products p LEFT JOIN staging.staged_products s ON s.gtin = p.gtin AND s.language = p.language
 WHERE p.state = 'present' AND (s.gtin IS NULL OR s.outcome = 'gone')
   AND EXISTS (SELECT 1 FROM staging.read_kinds WHERE kind = 'product')
UNION ALL
SELECT r.kind, r.id, NULL, 'missing'
  FROM main.records r LEFT JOIN staging.staged_records s ON s.kind = r.kind AND s.id = r.id
 WHERE r.state = 'present' AND s.id IS NULL AND r.kind IN (SELECT kind FROM staging.read_kinds)
 ORDER BY 1, 2, 3`;
