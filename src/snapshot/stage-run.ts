import type { DatabaseSync } from 'node:sqlite';
import type { StoredWarning } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';
import { CHANGED_OWNERS, EFFECTIVE_REFERENCES } from './staged-changes.ts';
import { stripSignature } from './digest-record.ts';
import { removeDatabase } from './open-snapshot.ts';
import { fromRow, toParameters, toValidators, type ProductValidators, type StoredAsset } from './rows.ts';
import { PAGE_BYTES, SNAPSHOT_VERSION, STAGING_SCHEMA } from './schema.ts';

/** Result of the request for one product in one language. */
export type StagedProduct = {
  gtin: string;
  language: string;
  family: string | undefined;
  position: number;
  /** Last change according to the interface's list. */
  listedModified?: string | undefined;
} & (
  | {
      outcome: 'read';
      record: ProductRecord;
      recordLanguage: string;
      digest: string;
      etag: string | undefined;
      lastModified: string | undefined;
      references: FileReference[];
      warnings?: StoredWarning[];
    }
  /** The server responded with 304 Not Modified. */
  | { outcome: 'not-modified' }
  /** The interface has not known it for long enough to confirm the removal. */
  | { outcome: 'gone' }
  /** The interface doesn't know it; needs confirmation. */
  | { outcome: 'missing' }
  /** Not requested, or no usable response: the stored record stays. */
  | { outcome: 'kept' }
);

/** A record of another kind. If `content` is missing, the response was unusable and the stored record stays. */
export interface StagedRecord {
  kind: string;
  id: string;
  position: number;
  content?: { record: object; digest: string; references?: FileReference[] };
}

export interface RecordLink {
  id: number;
  /** Permanent address of its page. */
  link: string;
  /** Id of the page, if it differs. */
  page: number | undefined;
  /** Address of the file; media only. */
  url: string | undefined;
  /** True if this run read a version that differs from the stored one. */
  isChanged: boolean;
}

/** A crash loses at most one batch. */
const BATCH_ROWS = 250;
const BATCH_MS = 50;

/** Data that a run has read, kept apart from the snapshot until `commitStaging`. */
export type Staging = ReturnType<typeof stageRun>;

/**
 * Prepares the staging area of one run on a snapshot's connection.
 * @param stagingFile File and basis of the staging area. If omitted, a temporary file is used that ends with the
 * connection.
 */
export function stageRun(database: DatabaseSync, stagingFile?: StagingFile) {
  const { unfinished, close } = openStaging(database, stagingFile);
  const knownProduct = database.prepare(
    `SELECT digest FROM main.products WHERE gtin = ? AND language = ? AND state = 'present'`,
  );
  const knownRecord = database.prepare(
    `SELECT digest FROM main.records WHERE kind = ? AND id = ? AND state = 'present' AND position = ?`,
  );
  const addProduct = database.prepare(
    `INSERT OR REPLACE INTO staging.staged_products VALUES (:gtin, :language, :outcome, :record_language, :digest, :family,
       :position, :etag, :last_modified, :listed_modified, :warnings, NULL, :record)`,
  );
  const moveProduct = database.prepare(
    `UPDATE staging.staged_products SET position = ?, family = ?, read_at = CASE ? WHEN 0 THEN read_at END
      WHERE gtin = ? AND language = ? AND position < 0`,
  );
  // A record confirmed as unchanged uses the validators of the stored one.
  const unfinishedProduct = database.prepare(
    `SELECT s.read_at AS checked_at, s.listed_modified, coalesce(s.etag, c.etag) AS etag,
            coalesce(s.last_modified, c.last_modified) AS last_modified, coalesce(s.warnings, c.warnings) AS warnings
       FROM staging.staged_products s
       LEFT JOIN main.product_checks c ON s.outcome = 'same' AND c.gtin = s.gtin AND c.language = s.language
      WHERE s.gtin = ? AND s.language = ? AND s.position < 0`,
  );
  const addRecord = database.prepare('INSERT OR REPLACE INTO staging.staged_records VALUES (?, ?, ?, ?, ?, ?)');
  const addOwner = database.prepare('INSERT OR IGNORE INTO staging.staged_owners VALUES (?)');
  const addReference = database.prepare('INSERT OR IGNORE INTO staging.staged_references VALUES (?, ?, ?, ?)');
  const dropReferences = database.prepare('DELETE FROM staging.staged_references WHERE owner = ?');
  const addAsset = database.prepare(
    `INSERT OR REPLACE INTO staging.staged_assets VALUES (:url, :kind, :digest, :file, :bytes, :mime_type, :width, :height,
       :last_modified, :etag, :reachable, :problem, :fetched_at, :checked_at, :unaccepted, :details)`,
  );
  const stagedAsset = database.prepare(
    'SELECT 1 FROM staging.staged_assets WHERE url = ? AND kind = ? AND reachable = 1',
  );
  const articleTitle = database.prepare(
    `SELECT coalesce(
        (SELECT record FROM staging.staged_records s WHERE s.kind = o.kind AND s.id = o.id),
        (SELECT record FROM main.records r WHERE r.kind = o.kind AND r.id = o.id)
      ) ->> '$.title' AS title FROM (SELECT ? AS kind, ? AS id) o`,
  );
  const addKind = database.prepare('INSERT OR IGNORE INTO staging.read_kinds VALUES (?)');

  const stageReferences = (owner: string, references: readonly FileReference[]) => {
    // Discard what was staged for this owner before, for example by an unfinished run.
    if (addOwner.run(owner).changes === 0) dropReferences.run(owner);
    for (const { address, kind, fetchFrom = address } of references)
      addReference.run(owner, stripSignature(address), fetchFrom, kind);
  };

  // Batch rows into one transaction: a commit for each would cost more than the rows.
  let batched = 0;
  let batchStartedAt = 0;
  const batch = (write: () => void) => {
    if (!database.isTransaction) {
      database.exec('BEGIN');
      [batched, batchStartedAt] = [0, Date.now()];
    }
    write();
    batched += 1;
    if (batched >= BATCH_ROWS || Date.now() - batchStartedAt > BATCH_MS) flush();
  };
  const flush = () => {
    if (database.isTransaction) database.exec('COMMIT');
  };

  return {
    /** Number of records read by an earlier unfinished run. They count only after `takeOver`. */
    unfinished,
    /** Validators of a record that the unfinished run has read, until it is taken over or staged again. */
    held: (gtin: string, language: string): ProductValidators | undefined => {
      const row = unfinished > 0 ? unfinishedProduct.get(gtin, language) : undefined;
      return row && toValidators(row);
    },
    /**
     * Stages the record of the unfinished run at this position in the assortment.
     * @param isCurrent True if the interface has confirmed the record in this run.
     */
    takeOver: (
      { gtin, language, position, family }: Pick<StagedProduct, 'gtin' | 'language' | 'family' | 'position'>,
      isCurrent: boolean,
    ): void => void moveProduct.run(position, family ?? null, isCurrent ? 1 : 0, gtin, language),
    /** True if the unfinished run has fetched the asset. */
    takeOverAsset: ({ url, kind }: Pick<StoredAsset, 'url' | 'kind'>): boolean =>
      unfinished > 0 && stagedAsset.get(url, kind) !== undefined,
    stageProduct: (row: StagedProduct) =>
      batch(() => {
        const { gtin, language, family, position, listedModified } = row;
        const request = { gtin, language, family, position, listedModified };
        if (row.outcome !== 'read') {
          const outcome = row.outcome === 'not-modified' ? 'same' : row.outcome;
          addProduct.run(toParameters({ ...request, outcome }));
          return;
        }
        const { record, recordLanguage, digest, etag, lastModified, warnings = [] } = row;
        const isSame = knownProduct.get(gtin, language)?.['digest'] === digest;
        const read = { recordLanguage, digest, etag, lastModified, warnings, record: isSame ? undefined : record };
        addProduct.run(toParameters({ ...request, outcome: isSame ? 'same' : 'record', ...read }));
        stageReferences(`product/${gtin}/${language}`, row.references);
      }),
    stageRecord: ({ kind, id, position, content }: StagedRecord): void =>
      batch(() => {
        if (!content) {
          addRecord.run(kind, id, 'kept', position, null, null);
          return;
        }
        const isSame = knownRecord.get(kind, id, position)?.['digest'] === content.digest;
        const record = isSame ? null : JSON.stringify(content.record);
        addRecord.run(kind, id, isSame ? 'same' : 'record', position, record, content.digest);
        stageReferences(`${kind}/${id}`, content.references ?? []);
      }),
    stageAsset: (asset: StoredAsset): void => batch(() => void addAsset.run(toParameters(asset))),
    /** Marks a kind as completely read. Only then do its missing rows count as removed. */
    completeKind: (kind: string) => {
      addKind.run(kind);
      // Delete records of an unfinished run that this one doesn't need.
      if (kind === 'product') database.exec('DELETE FROM staging.staged_products WHERE position < 0');
    },
    /** Discards the staged records of these kinds. */
    dropKinds: (kinds: readonly string[]) => {
      flush();
      for (const kind of kinds) {
        database.prepare('DELETE FROM staging.read_kinds WHERE kind = ?').run(kind);
        if (kind === 'product') database.exec('DELETE FROM staging.staged_products');
        else database.prepare('DELETE FROM staging.staged_records WHERE kind = ?').run(kind);
        for (const table of ['staged_references', 'staged_owners']) {
          database.prepare(`DELETE FROM staging.${table} WHERE owner LIKE ? || '/%'`).run(kind);
        }
      }
    },
    /**
     * Known addresses that records will refer to.
     * @param owners Prefix of the owners, such as `media/`.
     */
    addressesOf: (owners: string): string[] =>
      database
        .prepare(`${EFFECTIVE_REFERENCES} SELECT address FROM effective WHERE substr(owner, 1, ?) = ?`)
        .all(owners.length, owners)
        .map((row) => String(row['address'])),
    /**
     * Lists the assets that the catalogue refers to after this run, by address and kind. Each has one referring record,
     * preferably a changed one. `isOfChange` is true if any referring record has changed.
     */
    *assetReferences(): Generator<FileReference & { url: string; owner: string; isOfChange: boolean }> {
      for (const row of database.prepare(REFERENCES).iterate()) yield fromRow(row);
    },
    /** The records of a kind after this run, with their addresses at the publishing site. */
    linksOf: (kind: string): RecordLink[] =>
      database
        .prepare(LINKS)
        .all({ kind })
        .map((row) => fromRow(row)),
    /** True if this run read a new or changed record of the kind, or a stored one is missing. */
    hasChanged: (kind: string): boolean => database.prepare(HAS_CHANGED).get({ kind }) !== undefined,
    /** The new or changed records of a kind. */
    *changedRecords(kind: string): Generator<object> {
      const sql = `SELECT record FROM staging.staged_records WHERE kind = ? AND outcome = 'record' ORDER BY id`;
      for (const row of database.prepare(sql).iterate(kind)) yield JSON.parse(String(row['record'])) as object;
    },
    /**
     * The title of a post or page as read by this run, or else as stored.
     * @param owner Such as `post/7`.
     */
    titleOf: (owner: string): string | undefined => {
      const at = owner.indexOf('/');
      const title = articleTitle.get(owner.slice(0, at), owner.slice(at + 1))?.['title'];
      return typeof title === 'string' && title !== '' ? title : undefined;
    },
    /** Writes staged rows to the disk, so that an interrupted run can be continued. */
    flush,
    /**
     * Closes the staging area.
     * @param keep True if another run may continue this one.
     */
    close: (keep: boolean) => {
      flush();
      close(keep);
    },
  };
}

/** Includes stored records of a list that was not read. */
const LINKS = `
SELECT CAST(id AS INTEGER) AS id, is_changed, record ->> '$.link' AS link, nullif(record ->> '$.page', 0) AS page,
       record ->> '$.url' AS url FROM (
  SELECT s.id, s.outcome = 'record' AS is_changed, coalesce(s.record, r.record) AS record
    FROM staging.staged_records s LEFT JOIN main.records r ON r.kind = s.kind AND r.id = s.id
   WHERE s.kind = :kind
  UNION ALL
  SELECT r.id, 0, r.record FROM main.records r
   WHERE r.kind = :kind AND r.state = 'present'
     AND NOT EXISTS (SELECT 1 FROM staging.read_kinds WHERE kind = :kind)
     AND NOT EXISTS (SELECT 1 FROM staging.staged_records s WHERE s.kind = r.kind AND s.id = r.id)
) WHERE record ->> '$.link' IS NOT NULL ORDER BY 1`;

const HAS_CHANGED = `
SELECT 1 FROM staging.staged_records WHERE kind = :kind AND outcome = 'record'
UNION ALL
SELECT 1 FROM main.records r
 WHERE r.kind = :kind AND r.state = 'present' AND EXISTS (SELECT 1 FROM staging.read_kinds WHERE kind = :kind)
   AND NOT EXISTS (SELECT 1 FROM staging.staged_records s WHERE s.kind = r.kind AND s.id = r.id)
 LIMIT 1`;

const REFERENCES = `${EFFECTIVE_REFERENCES}, changed AS (${CHANGED_OWNERS})
SELECT url, kind, max(address) AS address,
       coalesce(min(CASE WHEN owner IN (SELECT owner FROM changed) THEN owner END), min(owner)) AS owner,
       max(owner IN (SELECT owner FROM changed)) AS is_of_change
  FROM effective GROUP BY url, kind ORDER BY url, kind`;

/** File of the staging area and its basis. */
interface StagingFile {
  file: string;
  /** An unfinished run is continued only if its basis is equal. */
  basis: string;
  /** Start of this run. */
  at: Date;
  /** Maximum age of an unfinished run, in ms. */
  maxAgeMs: number;
}

/**
 * Attaches the database `staging`: that of an unfinished run if it can be continued, or else an empty one. A run can be
 * continued if no commit came after it, its basis is equal and it isn't too old.
 */
function openStaging(database: DatabaseSync, staging: StagingFile | undefined) {
  detach(database);
  const attach = () => {
    database.prepare('ATTACH ? AS staging').run(staging?.file ?? '');
    if (!staging) return;
    // A machine crash may lose staged rows, but never reorder them. The snapshot itself is fully synchronous.
    database.exec(`PRAGMA staging.page_size = ${PAGE_BYTES}`);
    database.exec('PRAGMA staging.journal_mode = WAL; PRAGMA staging.synchronous = NORMAL');
  };
  const unfinished = staging ? countUnfinished(database, staging, attach) : 0;
  if (unfinished === 0) {
    detach(database);
    if (staging) removeDatabase(staging.file);
    attach();
    database.exec(STAGING_SCHEMA);
    if (staging) writeBasis(database, staging);
  }
  return {
    /** Number of products read by an unfinished run. Their position is negative until they are taken over. */
    unfinished,
    close: (keep: boolean): void => {
      // SQLite merges the log when it closes the file. A file that is deleted next needn't reach the disk.
      if (!keep) database.exec('PRAGMA staging.synchronous = OFF');
      detach(database);
      if (staging && !keep) removeDatabase(staging.file);
    },
  };
}

function countUnfinished(database: DatabaseSync, staging: StagingFile, attach: () => void): number {
  try {
    attach();
    const rows = database.prepare('SELECT key, value FROM staging.basis').all();
    const basis = Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
    const age = staging.at.getTime() - Date.parse(basis['at'] ?? '');
    if (basis['basis'] !== staging.basis || basis['tables'] !== TABLES) return 0;
    if (basis['after_run'] !== lastRun(database) || !(age >= 0 && age <= staging.maxAgeMs)) return 0;
    database.exec(KEEP_READ_RECORDS);
    return Number(database.prepare('SELECT count(*) AS n FROM staging.staged_products').get()?.['n']);
  } catch {
    // Missing, damaged or written by another version: nothing to continue.
    return 0;
  }
}

/** The staging tables and the version of the snapshot tables they mirror. */
const TABLES = `${SNAPSHOT_VERSION} ${STAGING_SCHEMA}`;

/** Keeps records and files that were read. Absences are verified again, and lists are read again. */
const KEEP_READ_RECORDS = `
BEGIN;
DELETE FROM staging.staged_products WHERE outcome NOT IN ('record', 'same');
UPDATE staging.staged_products SET position = -1,
  read_at = coalesce(read_at, (SELECT value FROM staging.basis WHERE key = 'at'));
DELETE FROM staging.staged_records;
DELETE FROM staging.staged_references WHERE owner NOT LIKE 'product/%';
DELETE FROM staging.staged_owners WHERE owner NOT LIKE 'product/%';
DELETE FROM staging.read_kinds;
COMMIT`;

function writeBasis(database: DatabaseSync, { basis, at }: StagingFile): void {
  const write = database.prepare('INSERT INTO staging.basis VALUES (?, ?)');
  write.run('basis', basis);
  write.run('tables', TABLES);
  write.run('at', at.toISOString());
  write.run('after_run', lastRun(database));
}

function lastRun(database: DatabaseSync): string {
  // In insertion order, because clocks may be set back.
  const row = database.prepare('SELECT id FROM main.runs ORDER BY rowid DESC LIMIT 1').get();
  return String(row?.['id'] ?? '');
}

function detach(database: DatabaseSync): void {
  const attached = database.prepare(`SELECT 1 FROM pragma_database_list WHERE name = 'staging'`).get();
  if (!attached) return;
  if (database.isTransaction) database.exec('ROLLBACK');
  database.exec('DETACH staging');
}
