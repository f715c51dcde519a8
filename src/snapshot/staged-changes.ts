import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  DECLARATION_KINDS,
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  listRecordDocuments,
  type ProductRecord,
} from '#contracts/product/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';
import { stripSignature } from './digest-record.ts';
import { fromRow, GTIN_OF_OWNER, IS_PRODUCT_OWNER, LANGUAGE_OF_OWNER, toAsset, type StoredAsset } from './rows.ts';

/** References after the staged run: staged owners replace their stored references. */
export const EFFECTIVE_REFERENCES = `
WITH effective AS (
  SELECT * FROM staging.staged_references
  UNION ALL
  SELECT * FROM main.asset_references WHERE owner NOT IN (SELECT owner FROM staging.staged_owners)
)`;

/** Owners whose records the staged run adds or changes. */
export const CHANGED_OWNERS = `
  SELECT 'product/' || gtin || '/' || language AS owner FROM staging.staged_products WHERE outcome = 'record'
  UNION ALL SELECT kind || '/' || id FROM staging.staged_records WHERE outcome = 'record'`;

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

/** A difference between the snapshot and the staging area, with records as stored. */
export interface StagedChange {
  /** `product`, `asset`, or the kind of another record. */
  kind: string;
  id: string;
  /** Products only. */
  language: string | undefined;
  change: 'added' | 'changed' | 'removed';
  /** For assets, the content's identity: a digest, or size and date. */
  before: unknown;
  /** For added products only the name, because a first run adds all of them. */
  after: unknown;
  /** Files that the record refers to before and after, and whose content has changed. Products only. */
  files?: ChangedFile[];
}

export interface ChangedFile {
  /** The field that refers to it. */
  field: string;
  /** The content's identity, as for assets; undefined if there was none. */
  before: unknown;
  after: unknown;
}

/**
 * Lists the changes that committing the staging area would make: products, other records, assets, removals, and then
 * products of which only files change.
 */
export function* listStagedChanges(database: DatabaseSync): Generator<StagedChange> {
  const filesByOwner = Map.groupBy(database.prepare(CHANGED_FILES).all(), ({ owner }) => String(owner));
  const filesOf = (owner: string, record: unknown): ChangedFile[] =>
    (filesByOwner.get(owner) ?? []).flatMap(({ url, kind, before, after }) =>
      fieldsReferringTo(record, String(url), String(kind)).map((field) =>
        fromRow<ChangedFile>({ field, before: before ?? null, after: after ?? null }),
      ),
    );
  for (const row of database.prepare(CHANGES).iterate()) {
    const change = toChange(row);
    const owner = `product/${change.id}/${change.language}`;
    if (change.kind !== 'product') yield change;
    else yield { ...change, files: change.change === 'changed' ? filesOf(owner, change.after) : [] };
    if (change.kind === 'product') filesByOwner.delete(owner);
  }
  const stored = database.prepare(
    `SELECT record FROM main.products WHERE gtin = ? AND language = ? AND state = 'present'`,
  );
  for (const owner of filesByOwner.keys()) {
    const [, id = '', language = ''] = owner.split('/');
    const { record } = fromRow<{ record?: object }>(stored.get(id, language) ?? {}, ['record']);
    const files = record ? filesOf(owner, record) : [];
    if (files.length > 0)
      yield { kind: 'product', id, language, change: 'changed', before: record, after: record, files };
  }
}

/**
 * Lists present products whose records would change. Added products are omitted, because a first run has nothing else.
 */
export function* listChangedProducts(database: DatabaseSync): Generator<StagedChange> {
  const rows = database.prepare(`SELECT * FROM (${PRODUCT_CHANGES}) WHERE change = 'changed'`);
  for (const row of rows.iterate()) yield toChange(row);
}

const toChange = (row: Record<string, SQLOutputValue>): StagedChange => fromRow(row, ['before', 'after']);

/** Finds the fields of a record that refer to a file directly or in their text. */
function fieldsReferringTo(record: unknown, url: string, kind: string): string[] {
  const { documents = [] } = (record ?? {}) as Pick<ProductRecord, 'documents'>;
  const texts = [
    ...Object.entries(record ?? {}),
    ...documents.map((document) => ['documents', document.url] as const),
  ].flatMap(([field, value]): [string, string][] => (typeof value === 'string' ? [[field, value]] : []));
  const byField = texts.filter(([field, text]) => stripSignature(text) === url && ASSET_KIND.get(field) === kind);
  const found =
    byField.length > 0 ? byField : texts.filter(([field, text]) => !ASSET_KIND.has(field) && text.includes(url));
  return found.map(([field]) => field);
}

const ASSET_KIND = new Map<string, string>([
  ...IMAGE_FIELDS.map((field) => [field, 'image'] as const),
  ...[...DOCUMENT_FIELDS, 'documents'].map((field) => [field, 'document'] as const),
]);

/** SQL for the identity of an asset's content. If no bytes are stored, it uses size and date from the server. */
export const ASSET_CONTENT = `coalesce(digest,
  CASE WHEN bytes IS NOT NULL OR last_modified IS NOT NULL
       THEN 'size ' || coalesce(bytes, '?') || ', date ' || coalesce(last_modified, '?') END)`;

/** Assets whose content the staged run changes. */
export const CHANGED_ASSETS = `
SELECT s.url, s.kind, a.content AS before, s.content AS after
  FROM (SELECT url, kind, ${ASSET_CONTENT} AS content FROM staging.staged_assets) s
  LEFT JOIN (SELECT url, kind, ${ASSET_CONTENT} AS content FROM main.assets) a ON a.url = s.url AND a.kind = s.kind
 WHERE s.content IS NOT NULL AND s.content IS NOT a.content`;

const CHANGED_FILES = `${EFFECTIVE_REFERENCES}
SELECT effective.owner, c.url, c.kind, c.before, c.after FROM (${CHANGED_ASSETS}) c
  JOIN effective ON effective.url = c.url AND effective.kind = c.kind
 WHERE ${IS_PRODUCT_OWNER} ORDER BY effective.owner, c.url, c.kind`;

const PRODUCT_CHANGES = `
  SELECT 'product' AS kind, s.gtin AS id, s.language AS language,
         CASE p.state WHEN 'present' THEN 'changed' ELSE 'added' END AS change,
         CASE p.state WHEN 'present' THEN p.record END AS before,
         CASE p.state WHEN 'present' THEN coalesce(s.record, p.record)
                      ELSE json_object('name', coalesce(s.record, p.record) ->> '$.name') END AS after
    FROM staging.staged_products s LEFT JOIN main.products p ON p.gtin = s.gtin AND p.language = s.language
   WHERE s.outcome = 'record' OR (s.outcome = 'same' AND p.state <> 'present')
   ORDER BY s.position, s.gtin, s.language`;

const CHANGES = `
SELECT * FROM (${PRODUCT_CHANGES})
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

export interface Removal {
  /** `product`, or the kind of another record. */
  kind: string;
  id: string;
  /** Products only. */
  language: string | undefined;
  /**
   * `gone`: the interface reports it as gone. `unlisted`: the local assortment or the list of languages no longer
   * contains it. `missing`: a completely read list doesn't contain it.
   */
  reason: 'gone' | 'unlisted' | 'missing';
}

/** Lists what committing the staging area would remove from the catalogue, in a stable order. */
export function findRemovals(database: DatabaseSync): Removal[] {
  return database
    .prepare(REMOVALS)
    .all()
    .map((row) => fromRow<Removal>(row));
}

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
      `SELECT 'product' AS kind, language, count(*) AS count FROM main.products WHERE state = 'present' GROUP BY language
       UNION ALL SELECT kind, NULL, count(*) FROM main.records WHERE state = 'present' GROUP BY kind`,
    )
    .all()
    .map((row) => fromRow<RecordCount>(row));
}

/** A record's images or documents. */
type AssetRecord = Pick<ProductRecord, (typeof IMAGE_FIELDS)[number] | (typeof DOCUMENT_FIELDS)[number] | 'documents'>;

/** Lists the images of a record, then its documents. */
export function listProductAssets(record: AssetRecord): FileReference[] {
  return [
    ...IMAGE_FIELDS.flatMap((field) => record[field] || []).map((address) => ({ address, kind: 'image' })),
    ...listRecordDocuments(record).map(({ url }) => ({ address: url, kind: 'document' })),
  ];
}

/**
 * Finds the GTINs whose declaration of performance is at a URL, before or after the staged run.
 * @param url Without a signature.
 */
export function findDeclarationOwners(database: DatabaseSync, url: string): string[] {
  const rows = database.prepare(DECLARATION_OWNERS).all(url);
  const owners = rows.filter(({ address }) => stripSignature(String(address)) === url).map(({ gtin }) => String(gtin));
  return [...new Set(owners)].toSorted();
}

/** Finds documents whose bytes at the source differ from the published ones, as of the staged run. */
export function findPendingDocuments(database: DatabaseSync): StoredAsset[] {
  return database.prepare(UNACCEPTED).all().map(toAsset);
}

const UNACCEPTED = `
SELECT * FROM staging.staged_assets WHERE unaccepted IS NOT NULL
UNION ALL
SELECT * FROM main.assets a WHERE unaccepted IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM staging.staged_assets s WHERE s.url = a.url AND s.kind = a.kind)
 ORDER BY url`;

const DECLARATION_OWNERS = `
WITH owners AS (
  SELECT ${GTIN_OF_OWNER} AS gtin, ${LANGUAGE_OF_OWNER} AS language FROM (
    SELECT owner FROM main.asset_references WHERE url = ?1 AND kind = 'document' AND ${IS_PRODUCT_OWNER}
    UNION SELECT owner FROM staging.staged_references WHERE url = ?1 AND kind = 'document' AND ${IS_PRODUCT_OWNER})
), found AS (
  SELECT gtin, record FROM owners JOIN main.products USING (gtin, language)
  UNION ALL SELECT gtin, record FROM owners JOIN staging.staged_products USING (gtin, language)
)
SELECT gtin, record ->> '$.declaration_of_performance' AS address FROM found WHERE address <> ''
UNION
SELECT gtin, value ->> '$.url' FROM found, json_each(record, '$.documents') WHERE value ->> '$.kind' IN ('${DECLARATION_KINDS.join("', '")}')`;
