import type { DatabaseSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { reviveProduct, type ProductRecord, DOCUMENT_FIELDS } from '#contracts/product/index.ts';
import { digestProduct, NORMALISER_VERSION } from './digest-record.ts';
import { addMessage, type NewMessage } from './outbox.ts';
import { readSnapshot } from './read-snapshot.ts';
import {
  GTIN_OF_OWNER,
  inTransaction,
  IS_PRODUCT_OWNER,
  LANGUAGE_OF_OWNER,
  toParameters,
  type StoredRun,
  type StoredSource,
} from './rows.ts';
import { ASSET_CONTENT, CHANGED_ASSETS, CHANGED_OWNERS, REMOVALS } from './staged-changes.ts';

/** SQL row value of the fields that don't update `changed_at` when they are the only change. */
const PRICE_AND_NUMBER = (row: string): string => `(${row}.record ->> '$.price', ${row}.record ->> '$.abas_id')`;

/** Returns the SQL for the documents of a record, in all forms in which it refers to them. */
const DOCUMENTS = [
  {
    rows: (record: string) =>
      `json_each(json_object(${DOCUMENT_FIELDS.map((field) => `'${field}', ${record} ->> '$.${field}'`).join()}))`,
    kind: (row: string) => `${row}.key`,
    url: (row: string) => `${row}.value`,
  },
  {
    rows: (record: string) => `json_each(${record}, '$.documents')`,
    kind: (row: string) => `${row}.value ->> '$.kind'`,
    url: (row: string) => `${row}.value ->> '$.url'`,
  },
];

/** SQL statements that apply the staging area to the snapshot, in order. `:at` is the timestamp of the run. */
const APPLY_STAGING: readonly string[] = [
  // Save replaced documents first, while their bytes can still be looked up.
  ...DOCUMENTS.map(saveEarlierDocuments),
  // Update references before the records, because they depend on which records are about to change.
  `DELETE FROM main.asset_references WHERE owner IN (${CHANGED_OWNERS})`,
  `INSERT INTO main.asset_references SELECT owner, url, address, kind FROM staging.staged_references
    WHERE owner IN (${CHANGED_OWNERS})`,

  `UPDATE main.products AS p SET state = s.reason, changed_at = :at, left_at = :at FROM (${REMOVALS}) AS s
   WHERE s.kind = 'product' AND p.gtin = s.id AND p.language = s.language`,
  // Insert in key order, so that rows don't depend on the order in which records were read.
  `INSERT INTO main.products (gtin, language, state, record_language, record, digest, family, position, changed_at)
   SELECT gtin, language, 'present', record_language, record, digest, family, position, :at
     FROM staging.staged_products WHERE outcome = 'record' ORDER BY gtin, language
   ON CONFLICT DO UPDATE SET state = 'present', record_language = excluded.record_language, record = excluded.record,
     digest = excluded.digest, family = excluded.family, position = excluded.position, left_at = NULL,
     changed_at = CASE WHEN products.state = 'present' AND ${PRICE_AND_NUMBER('products')} IS NOT ${PRICE_AND_NUMBER('excluded')}
         AND digest_without_price(products.record) = digest_without_price(excluded.record)
       THEN products.changed_at ELSE :at END,
     priced_at = CASE WHEN products.record ->> '$.price' IS excluded.record ->> '$.price'
       THEN products.priced_at ELSE :at END`,
  `UPDATE main.products AS p SET state = 'present', changed_at = :at, left_at = NULL
   FROM staging.staged_products AS s
   WHERE s.gtin = p.gtin AND s.language = p.language AND s.outcome = 'same' AND p.state <> 'present'`,
  // Rows with a new record were written above. The unary `+` makes SQLite scan the staged rows first.
  `UPDATE main.products AS p SET family = s.family, position = s.position FROM staging.staged_products AS s
   WHERE s.outcome <> 'record' AND +s.gtin = p.gtin AND +s.language = p.language
     AND (s.family IS NOT p.family OR s.position <> p.position)`,

  `INSERT INTO main.product_checks (gtin, language, checked_at, etag, last_modified, listed_modified, warnings)
   SELECT gtin, language, coalesce(read_at, :at), etag, last_modified, listed_modified, warnings
     FROM staging.staged_products WHERE outcome = 'record'
   ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at, etag = excluded.etag,
     last_modified = excluded.last_modified, listed_modified = excluded.listed_modified, warnings = excluded.warnings,
     missing_runs = 0, missing_since = NULL`,
  `UPDATE main.product_checks AS c SET checked_at = coalesce(s.read_at, :at), etag = coalesce(s.etag, c.etag),
     last_modified = coalesce(s.last_modified, c.last_modified), warnings = coalesce(s.warnings, c.warnings),
     listed_modified = coalesce(s.listed_modified, c.listed_modified), missing_runs = 0, missing_since = NULL
   FROM staging.staged_products AS s WHERE s.gtin = c.gtin AND s.language = c.language AND s.outcome = 'same'`,
  `UPDATE main.product_checks AS c SET checked_at = :at, missing_runs = missing_runs + 1,
     missing_since = coalesce(missing_since, :at)
   FROM staging.staged_products AS s
   WHERE s.gtin = c.gtin AND s.language = c.language AND s.outcome IN ('missing', 'gone')`,

  `DELETE FROM main.asset_references WHERE owner IN (
     SELECT r.kind || '/' || r.id FROM main.records r
       LEFT JOIN staging.staged_records s ON s.kind = r.kind AND s.id = r.id
      WHERE s.id IS NULL AND r.kind IN (SELECT kind FROM staging.read_kinds))`,
  `UPDATE main.records SET state = 'gone', changed_at = :at, checked_at = :at
   WHERE state = 'present' AND kind IN (SELECT kind FROM staging.read_kinds)
     AND NOT EXISTS (SELECT 1 FROM staging.staged_records s WHERE s.kind = records.kind AND s.id = records.id)`,
  // Withdraw the text. The address stays, because the record may reappear elsewhere.
  `UPDATE main.records SET record = json_object('id', record -> '$.id', 'slug', record ->> '$.slug',
     'parent', record -> '$.parent', 'modified', record ->> '$.modified', 'withdrawn', 1)
   WHERE state = 'gone' AND record -> '$.withdrawn' IS NULL`,
  `INSERT INTO main.records (kind, id, state, position, record, digest, changed_at, checked_at)
   SELECT kind, id, 'present', position, record, digest, :at, :at FROM staging.staged_records WHERE outcome = 'record'
   ON CONFLICT DO UPDATE SET state = 'present', position = excluded.position, record = excluded.record,
     digest = excluded.digest, changed_at = excluded.changed_at, checked_at = excluded.checked_at`,
  `UPDATE main.records AS r SET checked_at = :at FROM staging.staged_records AS s
   WHERE s.kind = r.kind AND s.id = r.id AND s.outcome = 'same'`,

  // A changed file counts as a change of every product and language that refers to it.
  `UPDATE main.products SET changed_at = :at WHERE (gtin, language) IN (
     SELECT ${GTIN_OF_OWNER}, ${LANGUAGE_OF_OWNER} FROM main.asset_references r
       JOIN (${CHANGED_ASSETS}) c ON c.url = r.url AND c.kind = r.kind
      WHERE ${IS_PRODUCT_OWNER})`,
  `INSERT OR IGNORE INTO main.asset_history (url, kind, digest, file, bytes, mime_type, replaced_at)
   SELECT a.url, a.kind, a.digest, a.file, a.bytes, a.mime_type, :at
     FROM main.assets a JOIN staging.staged_assets s ON s.url = a.url AND s.kind = a.kind
    WHERE a.digest IS NOT NULL AND a.file IS NOT NULL AND s.digest IS NOT NULL AND s.digest <> a.digest`,
  `INSERT INTO main.assets SELECT * FROM staging.staged_assets WHERE true
   ON CONFLICT DO UPDATE SET digest = excluded.digest, file = excluded.file,
     bytes = excluded.bytes, mime_type = excluded.mime_type, width = excluded.width, height = excluded.height, details = excluded.details,
     last_modified = excluded.last_modified, etag = excluded.etag, reachable = excluded.reachable,
     problem = excluded.problem, fetched_at = excluded.fetched_at, checked_at = excluded.checked_at,
     unaccepted = excluded.unaccepted`,
  // Delete assets that no record or tombstone refers to. Their bytes stay, because their addresses may be in use.
  `INSERT OR IGNORE INTO main.asset_history (url, kind, digest, file, bytes, mime_type, replaced_at)
   SELECT url, kind, digest, file, bytes, mime_type, :at FROM main.assets
    WHERE digest IS NOT NULL AND file IS NOT NULL AND (url, kind) NOT IN (SELECT url, kind FROM main.asset_references)`,
  `DELETE FROM main.assets WHERE (url, kind) NOT IN (SELECT url, kind FROM main.asset_references)`,
];

function saveEarlierDocuments({ rows, kind, url }: (typeof DOCUMENTS)[number]): string {
  return `INSERT INTO main.earlier_documents
     (gtin, language, field, url, digest, document_language, file, bytes, replaced_at)
   SELECT p.gtin, p.language, ${kind('d')}, r.url, coalesce(a.digest, ''), p.record_language, a.file, a.bytes, :at
     FROM staging.staged_products s
     JOIN main.products p ON p.gtin = s.gtin AND p.language = s.language
     JOIN ${rows('p.record')} d
     JOIN main.asset_references r ON r.owner = 'product/' || p.gtin || '/' || p.language AND r.kind = 'document'
      AND r.address = ${url('d')}
     LEFT JOIN main.assets a ON a.url = r.url AND a.kind = r.kind
    WHERE s.outcome = 'record' AND NOT EXISTS (
      SELECT 1 FROM staging.staged_references n JOIN ${rows('s.record')} e
       WHERE n.owner = r.owner AND n.url = r.url AND n.kind = r.kind AND n.address = ${url('e')}
         AND ${kind('e')} = ${kind('d')})
   ON CONFLICT DO UPDATE SET document_language = excluded.document_language, file = excluded.file,
     bytes = excluded.bytes, replaced_at = excluded.replaced_at`;
}

const LINES = [
  `SELECT 'product ' || gtin || ' ' || language || ' ' || state || ' ' || digest AS line
     FROM products ORDER BY gtin, language`,
  `SELECT kind || ' ' || id || ' ' || digest AS line FROM records WHERE state = 'present' ORDER BY kind, id`,
  `SELECT 'asset ' || url || ' ' || ${ASSET_CONTENT} AS line
     FROM assets WHERE ${ASSET_CONTENT} IS NOT NULL ORDER BY url, kind`,
];

export interface CommitResult {
  digest: string;
  previousDigest: string | undefined;
  changed: boolean;
}

/** A source that was read completely. */
export type ReadSource = Pick<StoredSource, 'name' | 'base' | 'cursor'>;

export interface Commit {
  /** Timestamp for `changedAt` and `checkedAt` of this run. */
  at: Date;
  sources: ReadSource[];
  /** Further fields of the product interface that the options declare. @default none */
  extraFields?: readonly string[];
  /** Sources that could not be read; their stored content stays. */
  failedSources?: { name: StoredSource['name']; problem: string }[];
  /** Called inside the transaction with its result. Its run and messages are committed together with the records. */
  conclude(outcome: CommitResult): { run: StoredRun; messages: NewMessage[] };
}

const MAX_UNCHANGED_RUNS = 100;
/** Twice the number of runs in the change feed. */
const MAX_REPORTS = 100;
const MAX_MESSAGES = 100;

/**
 * Commits the staging area to the snapshot in one transaction, together with the run's row and its messages. After an
 * error or a crash the snapshot is unchanged.
 */
export function commitStaging(database: DatabaseSync, commit: Commit): CommitResult {
  // Commit rows that are still being staged in a batch.
  if (database.isTransaction) database.exec('COMMIT');
  return inTransaction(database, () => {
    const at = commit.at.toISOString();
    const { sources, extraFields = [] } = commit;
    const product = sources.find(({ name }) => name === 'product');
    if (hasOtherBasis(database, product, extraFields)) database.exec(CLEAR_VALIDATORS);
    const outcome = apply(database, at, extraFields);
    if (product) saveMeta(database, 'extra_fields', JSON.stringify(extraFields));
    const { run, messages } = commit.conclude(outcome);
    redactWithdrawn(database, at);
    for (const source of sources) saveSource(database, source, at);
    for (const source of commit.failedSources ?? []) saveFailure(database, source, at);
    saveRun(database, run);
    for (const message of messages) addMessage(database, message);
    return outcome;
  });
}

/**
 * True if unread records were stored by another normaliser version or with other further fields, or read from another
 * product interface.
 */
function hasOtherBasis(
  database: DatabaseSync,
  product: ReadSource | undefined,
  extraFields: readonly string[],
): boolean {
  const snapshot = readSnapshot(database);
  if (snapshot.isOutgrown()) return true;
  const before = snapshot.sources().find(({ name }) => name === 'product');
  return product !== undefined && (product.base !== before?.base || snapshot.hasOtherFields(extraFields));
}

const CLEAR_VALIDATORS = 'UPDATE product_checks SET etag = NULL, last_modified = NULL, listed_modified = NULL';

function saveMeta(database: DatabaseSync, key: string, value: string): void {
  database.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(key, value);
}

function apply(database: DatabaseSync, at: string, extraFields: readonly string[]): CommitResult {
  const previousDigest = database.prepare(`SELECT value FROM meta WHERE key = 'digest'`).get()?.['value'];
  database.function('digest_without_price', { deterministic: true }, (json) => digestWithoutPrice(json, extraFields));
  for (const sql of APPLY_STAGING) {
    const statement = database.prepare(sql);
    if (sql.includes(':at')) statement.run({ at });
    else statement.run();
  }
  const digest = digestCatalogue(database);
  const changed = digest !== previousDigest;
  if (changed) {
    saveMeta(database, 'digest', digest);
    saveMeta(database, 'taken_at', at);
    saveMeta(database, 'normaliser', String(NORMALISER_VERSION));
  }
  return { digest, previousDigest: typeof previousDigest === 'string' ? previousDigest : undefined, changed };
}

function digestWithoutPrice(json: unknown, extraFields: readonly string[]): string {
  const record = JSON.parse(String(json)) as ProductRecord;
  return digestProduct({ ...reviveProduct(record), price: undefined, abas_id: '' }, record, extraFields);
}

function saveSource(database: DatabaseSync, source: ReadSource, at: string): void {
  database
    .prepare(
      `INSERT INTO sources (name, base, cursor, last_success) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET base = excluded.base, cursor = excluded.cursor, last_success = excluded.last_success, failed_since = NULL,
         problem = NULL`,
    )
    .run(source.name, source.base, source.cursor ?? null, at);
}

function saveFailure(database: DatabaseSync, { name, problem }: { name: string; problem: string }, at: string): void {
  database
    .prepare('UPDATE sources SET failed_since = coalesce(failed_since, ?), problem = ? WHERE name = ?')
    .run(at, problem, name);
}

function saveRun(database: DatabaseSync, run: StoredRun): void {
  database
    .prepare(
      'INSERT INTO runs VALUES (:id, :started_at, :finished_at, :changed, :digest, :previous_digest, :requests, :report)',
    )
    .run(toParameters(run));
  // Runs without changes are frequent and carry little information. Delivered messages are no longer needed.
  database.exec(`
    DELETE FROM runs WHERE changed = 0 AND id NOT IN (
      SELECT id FROM runs WHERE changed = 0 ORDER BY rowid DESC LIMIT ${MAX_UNCHANGED_RUNS});
    UPDATE runs SET report = NULL WHERE report IS NOT NULL AND id NOT IN (
      SELECT id FROM runs WHERE changed = 1 ORDER BY rowid DESC LIMIT ${MAX_REPORTS});
    DELETE FROM outbox WHERE state <> 'pending' AND id NOT IN (
      SELECT id FROM outbox WHERE state <> 'pending' ORDER BY created_at DESC, id DESC LIMIT ${MAX_MESSAGES})`);
}

/** Returns the catalogue digest: SHA-256 over the sorted list of all digests. */
function digestCatalogue(database: DatabaseSync): string {
  const hash = createHash('sha256').update(`sortiment catalogue ${NORMALISER_VERSION}\n`);
  for (const lines of LINES) {
    for (const { line } of database.prepare(lines).iterate()) hash.update(`${String(line)}\n`);
  }
  return hash.digest('hex');
}

/**
 * Removes content that a publishing site withdrew in this run from earlier reports, which quote it. The reports still
 * list the change.
 * @param at The timestamp of the run.
 */
export function redactWithdrawn(database: DatabaseSync, at: string): void {
  const rows = database.prepare(`SELECT kind, id FROM main.records WHERE state = 'gone' AND changed_at = ?`).all(at);
  if (rows.length === 0) return;
  const gone = new Set(rows.map(({ kind, id }) => `${String(kind)} ${String(id)}`));
  const isGone = (kind: string, id: string) => gone.has(`${kind} ${id}`);
  const save = database.prepare('UPDATE main.runs SET report = ? WHERE id = ?');
  for (const run of database.prepare('SELECT id, report FROM main.runs WHERE report IS NOT NULL').all()) {
    const report = JSON.parse(String(run['report'])) as QuotingReport;
    for (const change of report.changes ?? [])
      if (isGone(change.kind, change.id)) Object.assign(change, { name: '', fields: [] });
    for (const { kind, sample } of [...(report.problems ?? []), ...(report.warnings ?? [])])
      if (isGone(kind, sample.id)) delete sample.wire;
    save.run(JSON.stringify(report), String(run['id']));
  }
}

/** Members of a stored report that quote records. */
interface QuotingReport {
  changes?: { kind: string; id: string }[];
  problems?: { kind: string; sample: { id: string; wire?: string } }[];
  warnings?: QuotingReport['problems'];
}
