import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { REMOVALS } from './find-removals.ts';
import type { RecordKind } from './rows.ts';

/** A difference between the snapshot and the staging area; records as they are stored. */
export interface StagedChange {
  kind: RecordKind | 'product' | 'asset';
  id: string;
  /** Products only. */
  language: string | undefined;
  change: 'added' | 'changed' | 'removed';
  /** For assets: what identifies the content (a digest, or size and date). */
  before: unknown;
  after: unknown;
}

/** What committing the staging area would change, read row by row: products, other records, assets, removals. */
export function* stagedChanges(database: DatabaseSync): Generator<StagedChange> {
  for (const row of database.prepare(CHANGES).iterate()) {
    const before = decode(row['before']);
    yield {
      kind: String(row['kind']) as StagedChange['kind'],
      id: String(row['id']),
      language: row['language'] === null ? undefined : String(row['language']),
      change: String(row['change']) as StagedChange['change'],
      before,
      after: decode(row['after']),
    };
  }
}

function decode(value: SQLOutputValue | undefined): unknown {
  return value === null || value === undefined ? undefined : JSON.parse(String(value));
}

/** What a copy of an asset is compared by. Without bytes of our own, by what its server says of it. */
export const ASSET_CONTENT = `coalesce(digest,
  CASE WHEN bytes IS NOT NULL OR last_modified IS NOT NULL
       THEN 'size ' || coalesce(bytes, '?') || ', date ' || coalesce(last_modified, '?') END)`;

/** Assets whose content will be another after the staged run. */
export const CHANGED_ASSETS = `
SELECT s.url, s.kind, a.content AS before, s.content AS after
  FROM (SELECT url, kind, ${ASSET_CONTENT} AS content FROM staging.staged_assets) s
  LEFT JOIN (SELECT url, kind, ${ASSET_CONTENT} AS content FROM main.assets) a ON a.url = s.url AND a.kind = s.kind
 WHERE s.content IS NOT NULL AND s.content IS NOT a.content`;

const CHANGES = `
SELECT * FROM (
  SELECT 'product' AS kind, s.gtin AS id, s.language AS language,
         CASE p.state WHEN 'present' THEN 'changed' ELSE 'added' END AS change,
         CASE p.state WHEN 'present' THEN p.record END AS before, coalesce(s.record, p.record) AS after
    FROM staging.staged_products s LEFT JOIN main.products p ON p.gtin = s.gtin AND p.language = s.language
   WHERE s.outcome = 'record' OR (s.outcome = 'same' AND p.state <> 'present')
   ORDER BY s.position, s.gtin, s.language)
UNION ALL SELECT * FROM (
  SELECT s.kind, s.id, NULL, CASE r.state WHEN 'present' THEN 'changed' ELSE 'added' END,
         CASE r.state WHEN 'present' THEN json_set(r.record, '$.position', r.position) END,
         json_set(s.record, '$.position', s.position)
    FROM staging.staged_records s LEFT JOIN main.records r ON r.kind = s.kind AND r.id = s.id
   WHERE s.outcome = 'record' ORDER BY s.kind, s.position, s.id)
UNION ALL SELECT * FROM (
  SELECT 'asset', url, NULL, CASE WHEN before IS NULL THEN 'added' ELSE 'changed' END,
         json_quote(before), json_quote(after) FROM (${CHANGED_ASSETS}) ORDER BY url, kind)
UNION ALL SELECT * FROM (
  SELECT removal.kind, removal.id, removal.language, 'removed', coalesce(p.record, r.record), NULL
    FROM (${REMOVALS}) removal
    LEFT JOIN main.products p ON removal.kind = 'product' AND p.gtin = removal.id AND p.language = removal.language
    LEFT JOIN main.records r ON r.kind = removal.kind AND r.id = removal.id)`;
