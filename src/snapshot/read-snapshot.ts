import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { StoredWarning } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { KindReference, RecordOf, SyncedRecord } from '#contracts/synced/index.ts';
import { describeArticleFiles, findAssetOwners } from './staged-changes.ts';
import {
  cachedStatements,
  type BrokenDocument,
  type EarlierDocument,
  type FamilyRecord,
  type StoredFile,
  type ProductValidators,
  type ProductCheck,
  type LanguageRecord,
  type PastDocument,
  type PastName,
  type PastAddress,
  type PastSlug,
  type ProductState,
  type SiteRecord,
  type Stored,
  type StoredAsset,
  type StoredProduct,
  type StoredRun,
  type StoredSource,
  type PendingBytes,
} from './rows.ts';
import { stripSignature } from './digest-record.ts';

export interface ChangeCursor {
  /** Id of the last run with changes; empty before the first one. */
  run: string;
  products: number;
  /** Number of changes to assets or their metadata. */
  assets: number;
  /** Number of changes to records other than products. */
  records: number;
}

type Row = Record<string, SQLOutputValue>;

/** Returns the name of a kind in the snapshot. */
export function kindName(kind: KindReference): string {
  return typeof kind === 'string' ? kind : kind.kind;
}

/** Typed read access to the snapshot. Iterators read row by row: keep the snapshot open until they end. */
export type SnapshotReader = ReturnType<typeof readSnapshot>;

/** Creates the reader of an open database. */
export function readSnapshot(database: DatabaseSync) {
  const { getOne, getAll } = cachedStatements(database);
  const meta = (key: string) => text(getOne('SELECT value FROM meta WHERE key = ?', key)?.['value']);
  const productsWhere = (state: string) =>
    iterate(database, `SELECT * FROM products WHERE ${state} ORDER BY position, gtin, language`, [], toProduct);
  return {
    /** Digest of the whole catalogue; undefined before the first sync. */
    digest: (): string | undefined => meta('digest'),
    /** When the content last changed, ISO; undefined before the first sync. */
    takenAt: (): string | undefined => meta('taken_at'),
    /** In the interface's order. */
    languages: (): Stored<LanguageRecord>[] => getAll(RECORDS, 'language').map(toRecord<LanguageRecord>),
    /** In the assortment's order. */
    families: (): Stored<FamilyRecord>[] => getAll(RECORDS, 'family').map(toRecord<FamilyRecord>),
    /** Present products in the assortment's order, grouped by product. */
    products: (): IterableIterator<StoredProduct> => productsWhere(`state = 'present'`),
    /** Tombstones: removed products with their last record. */
    archivedProducts: (): IterableIterator<StoredProduct> => productsWhere(`state <> 'present'`),
    /** A product in one language, in any state. */
    product: (gtin: string, language: string): StoredProduct | undefined => {
      const row = getOne('SELECT * FROM products WHERE gtin = ? AND language = ?', gtin, language);
      return row && toProduct(row);
    },
    /** A product in all its languages, in any state. */
    languagesOf: (gtin: string): StoredProduct[] =>
      getAll('SELECT * FROM products WHERE gtin = ? ORDER BY language', gtin).map(toProduct),
    /** Current end of the change log. It only grows within one snapshot file. */
    changeCursor: (): ChangeCursor => ({
      run: text(getOne('SELECT id FROM runs WHERE changed = 1 ORDER BY rowid DESC LIMIT 1')?.['id']) ?? '',
      products: Number(getOne('SELECT coalesce(max(id), 0) AS id FROM product_changes')?.['id']),
      assets: Number(getOne(`SELECT count FROM change_counts WHERE kind = 'asset'`)?.['count']),
      records: Number(getOne(`SELECT count FROM change_counts WHERE kind = 'record'`)?.['count']),
    }),
    /** True if this snapshot continues the cursor's snapshot; false for another file or an older copy. */
    hasPassed: ({ run, products }: ChangeCursor): boolean =>
      getOne('SELECT 1 FROM runs WHERE id = ?', run) !== undefined &&
      products <= Number(getOne('SELECT coalesce(max(id), 0) AS id FROM product_changes')?.['id']),
    /** GTINs of products that have changed since a cursor, even if the change was reverted. */
    changedSince: ({ products }: ChangeCursor): string[] => [
      ...iterate(database, 'SELECT gtin FROM product_changes WHERE id > ? ORDER BY id', [products], ({ gtin }) =>
        String(gtin),
      ),
    ],
    /** Former names, by GTIN. */
    pastNames: (): IterableIterator<PastName> =>
      iterate(database, 'SELECT gtin, language, name FROM past_names ORDER BY gtin, language, name', [], (row) => ({
        gtin: String(row['gtin']),
        language: String(row['language']),
        name: String(row['name']),
      })),
    /** Former addresses, latest first. */
    pastPlaces: (kind: string): IterableIterator<PastAddress> =>
      iterate(
        database,
        'SELECT id, slug, parent, until FROM past_places WHERE kind = ? ORDER BY until DESC, id, slug, parent',
        [kind],
        ({ id, slug, parent, until }) => ({
          id: Number(id),
          slug: String(slug),
          parent: Number(parent) || undefined,
          until: String(until),
        }),
      ),
    /** Former slugs, latest first. */
    pastSlugs: (): PastSlug[] =>
      getAll(PAST_SLUGS).map(({ kind, id, slug, until }) => ({
        kind: String(kind) as PastSlug['kind'],
        id: Number(id),
        slug: String(slug),
        until: String(until),
      })),
    /** Families that no longer exist or have lost products, each with the current family of most of these products. */
    pastFamilies: (): Map<string, string | undefined> =>
      new Map(getAll(PAST_FAMILIES).map(({ family, now }) => [String(family), text(now)])),
    /** State and validators of the stored record, for the next request. */
    known: (gtin: string, language: string): ProductCheck | undefined => {
      const row = getOne(
        `SELECT p.state, c.* FROM products p JOIN product_checks c ON c.gtin = p.gtin AND c.language = p.language
          WHERE p.gtin = ? AND p.language = ?`,
        gtin,
        language,
      );
      return row && toKnown(row);
    },
    hasRecord: (kind: string, id: string): boolean =>
      getOne(`SELECT 1 FROM records WHERE kind = ? AND id = ? AND state = 'present'`, kind, id) !== undefined,
    /** Warnings stored with present records of the publishing site. */
    recordWarnings: (): { kind: string; id: string; warnings: StoredWarning[] }[] =>
      getAll(RECORD_WARNINGS).map(({ kind, id, warnings }) => ({
        kind: String(kind),
        id: String(id),
        warnings: JSON.parse(String(warnings)) as StoredWarning[],
      })),
    /** True if the records were stored by another normaliser version, so that all have to be read again. */
    isOutgrown: (normaliserVersion: number): boolean =>
      (meta('normaliser') ?? String(normaliserVersion)) !== String(normaliserVersion),
    /** Name and description of the publishing site. */
    site: (): Stored<SiteRecord> | undefined => getAll(RECORDS, 'site').map(toRecord<SiteRecord>)[0],
    /** Present records of a kind of the publishing site, by id. */
    records: <Kind extends KindReference>(kind: Kind): IterableIterator<Stored<RecordOf<Kind>>> =>
      iterate(database, RECORDS, [kindName(kind)], toRecord<RecordOf<Kind>>),
    /** A present record of the publishing site. */
    record: (kind: string, id: string): Stored<SyncedRecord> | undefined => {
      const row = getOne(RECORD, kind, id);
      return row && toRecord<SyncedRecord>(row);
    },
    /** Selected fields of a present record; missing ones are undefined. */
    fieldsOf: (kind: string, id: string, names: readonly string[]): Record<string, unknown> | undefined => {
      const row = getOne(
        `SELECT json_extract(record, '$.id'${", '$.' || ?".repeat(names.length)}) AS fields
           FROM records WHERE kind = ? AND id = ? AND state = 'present'`,
        ...names,
        kind,
        id,
      );
      if (!row) return undefined;
      const [, ...values] = JSON.parse(String(row['fields'])) as unknown[];
      return Object.fromEntries(names.map((name, i) => [name, values[i] ?? undefined]));
    },
    asset: (url: string, kind: string): StoredAsset | undefined => {
      const row = getOne('SELECT * FROM assets WHERE url = ? AND kind = ?', stripSignature(url), kind);
      return row && toAsset(row);
    },
    /** GTINs of the products that refer to an asset, in any language and state. */
    assetOwners: ({ url, kind }: { url: string; kind: string }): string[] =>
      findAssetOwners(database, { url: stripSignature(url), kind }),
    /**
     * Returns a digest of the files that records other than products refer to, such as images in posts, pages and media.
     */
    describeArticleFiles: (): string => describeArticleFiles(database),
    assets: (): IterableIterator<StoredAsset> =>
      iterate(database, 'SELECT * FROM assets ORDER BY url, kind', [], toAsset),
    /**
     * Earlier documents of a product at the current or an earlier address, newest first.
     * @param url The current address; undefined if there is none.
     */
    earlierDocuments: ({
      gtin,
      language,
      field,
      url,
    }: {
      gtin: string;
      language: string;
      field: string;
      url: string | undefined;
    }): EarlierDocument[] =>
      // This runs for every product, and most assortments have no earlier documents.
      getOne(ANY_EARLIER_DOCUMENT)
        ? getAll(EARLIER_DOCUMENTS, gtin, language, field, url === undefined ? null : stripSignature(url)).map(
            toEarlier,
          )
        : [],
    /** Files and replaced documents whose bytes are stored. */
    storedFiles: (): IterableIterator<StoredFile> =>
      iterate(database, STORED_FILES, [], (row) => ({
        url: String(row['url']),
        kind: String(row['kind']),
        digest: String(row['digest']),
        file: String(row['file']),
      })),
    /** Documents that had another address before. That address may still be in use. */
    pastDocuments: (): IterableIterator<PastDocument> =>
      iterate(database, PAST_DOCUMENTS, [], (row) => ({
        url: String(row['url']),
        digest: String(row['digest']),
        file: String(row['file']),
        owner:
          row['gtin'] === null
            ? undefined
            : { gtin: String(row['gtin']), language: String(row['language']), field: String(row['field']) },
      })),
    /** Documents of present products that were unavailable at the last attempt, by address. */
    brokenDocuments: (): BrokenDocument[] => {
      const isPresent = 'SELECT gtin FROM products WHERE gtin = ? AND language = ? AND state = ?';
      const rows = Map.groupBy(getAll(BROKEN_DOCUMENTS), ({ url }) => String(url));
      return [...rows].flatMap(([url, found]) => {
        const gtins = found.flatMap(({ owner }) => {
          const [, gtin = '', language = ''] = String(owner).split('/');
          return getOne(isPresent, gtin, language, 'present') ? gtin : [];
        });
        if (gtins.length === 0) return [];
        return { url, problem: text(found[0]?.['problem']) ?? 'is not reachable', gtins: [...new Set(gtins)] };
      });
    },
    /** Id of a head such as `post/7` -> address that its page redirects to. */
    redirects: (): Map<string, string> =>
      new Map(getAll(REDIRECTS).map(({ id, redirect }) => [String(id), String(redirect)])),
    /** True if an editor has excluded any page from search engines. */
    hidesPages: (): boolean => getOne(HIDDEN_HEAD) !== undefined,
    sources: (): StoredSource[] => getAll('SELECT * FROM sources ORDER BY name').map(toSource),
    /**
     * Newest first.
     */
    runs: (limit = 20): StoredRun[] => [
      ...iterate(database, 'SELECT * FROM runs ORDER BY started_at DESC, id DESC LIMIT ?', [limit], toRun),
    ],
  };
}

const cachingReaders = new WeakSet<SnapshotReader>();

/** Reads each kind of record and each asset once. For short tasks: it doesn't see later writes. */
export function withReadCache(snapshot: SnapshotReader): SnapshotReader {
  if (cachingReaders.has(snapshot)) return snapshot;
  const records = new Map<string, unknown[]>();
  const assets = new Map<string, StoredAsset | undefined>();
  let site: { record: Stored<SiteRecord> | undefined } | undefined;
  const reader: SnapshotReader = {
    ...snapshot,
    site: () => (site ??= { record: snapshot.site() }).record,
    // The records cached under the name of a kind are of that kind.
    records: ((kind) => {
      const known = records.get(kindName(kind)) ?? [...snapshot.records(kind)];
      records.set(kindName(kind), known);
      return known.values();
    }) as SnapshotReader['records'],
    asset: (url, kind) => {
      const key = `${kind} ${url}`;
      if (!assets.has(key)) assets.set(key, snapshot.asset(url, kind));
      return assets.get(key);
    },
  };
  cachingReaders.add(reader);
  return reader;
}

/** Reads single members, because heads are large. */
const REDIRECTS = `SELECT id, record ->> '$.redirect' AS redirect FROM records
 WHERE kind = 'head' AND state = 'present' AND record ->> '$.redirect' <> '' ORDER BY id`;
const HIDDEN_HEAD = `SELECT 1 FROM records WHERE kind = 'head' AND state = 'present' AND EXISTS (
   SELECT 1 FROM json_each(record, '$.robots') WHERE value = 'noindex') LIMIT 1`;

const RECORD_WARNINGS = `SELECT kind, id, record ->> '$.warnings' AS warnings FROM records
 WHERE state = 'present' AND record ->> '$.warnings' IS NOT NULL ORDER BY kind, position, id`;

const RECORDS = `SELECT * FROM records WHERE kind = ? AND state = 'present' ORDER BY position, id`;
const RECORD = `SELECT * FROM records WHERE kind = ? AND id = ? AND state = 'present'`;

/** Addresses of terms and authors contain only their slug, not those of their parents. */
const PAST_SLUGS = `
SELECT kind, id, slug, max(until) AS until FROM past_places p WHERE kind IN ('category', 'tag', 'author')
   AND slug IS NOT (SELECT record ->> '$.slug' FROM records r WHERE r.kind = p.kind AND r.id = p.id)
 GROUP BY kind, id, slug ORDER BY max(until) DESC, kind, id, slug`;

/** Earlier bytes at the current address, earlier addresses, and the bytes that they had. */
const EARLIER_DOCUMENTS = `
WITH named AS (SELECT * FROM earlier_documents WHERE gtin = ?1 AND language = ?2 AND field = ?3)
SELECT url, digest, file, bytes, replaced_at, document_language FROM named
UNION SELECT h.url, h.digest, h.file, h.bytes, h.replaced_at, n.document_language
  FROM asset_history h JOIN named n ON n.url = h.url AND h.replaced_at <= n.replaced_at WHERE h.kind = 'document'
UNION SELECT url, digest, file, bytes, replaced_at, NULL FROM asset_history WHERE kind = 'document' AND url = ?4
 ORDER BY replaced_at DESC, url, digest`;

/** The last row of a family wins: the one with the most products, or the first by name. */
const PAST_FAMILIES = `
WITH former AS (
  SELECT family, gtin FROM past_families
  UNION SELECT family, gtin FROM products WHERE state <> 'present' AND family IS NOT NULL
)
SELECT f.family, p.family AS now FROM former f
  LEFT JOIN products p ON p.gtin = f.gtin AND p.state = 'present' AND p.family <> f.family
 GROUP BY f.family, p.family ORDER BY f.family, p.family IS NOT NULL, count(DISTINCT f.gtin), p.family DESC`;

const ANY_EARLIER_DOCUMENT =
  'SELECT 1 WHERE EXISTS (SELECT 1 FROM earlier_documents) OR EXISTS (SELECT 1 FROM asset_history)';

const BROKEN_DOCUMENTS = `
SELECT a.url, a.problem, r.owner FROM assets a JOIN asset_references r ON r.url = a.url AND r.kind = a.kind
 WHERE a.kind = 'document' AND a.reachable = 0 AND r.owner LIKE 'product/%' ORDER BY a.url, r.owner`;

const PAST_DOCUMENTS = `
SELECT url, digest, file, gtin, language, field FROM earlier_documents WHERE file IS NOT NULL
UNION SELECT url, digest, file, NULL, NULL, NULL FROM asset_history WHERE kind = 'document'
 ORDER BY url, digest, gtin, language, field`;

const STORED_FILES = `
SELECT url, 'document' AS kind, digest, file FROM earlier_documents WHERE file IS NOT NULL
UNION SELECT url, kind, digest, file FROM asset_history WHERE kind = 'document'
UNION ALL SELECT url, kind, digest, file FROM assets WHERE digest IS NOT NULL AND file IS NOT NULL`;

function* iterate<T>(
  database: DatabaseSync,
  sql: string,
  values: SQLInputValue[],
  map: (row: Row) => T,
): Generator<T, undefined> {
  for (const row of database.prepare(sql).iterate(...values)) yield map(row);
  return undefined;
}

function toProduct(row: Row): StoredProduct {
  return {
    gtin: String(row['gtin']),
    language: String(row['language']),
    record: parse<ProductRecord>(row),
    digest: String(row['digest']),
    state: String(row['state']) as ProductState,
    family: text(row['family']),
    position: Number(row['position']),
    changedAt: String(row['changed_at']),
    pricedAt: text(row['priced_at']),
    leftAt: text(row['left_at']),
  };
}

function toKnown(row: Row): ProductCheck {
  return {
    ...toValidators(row),
    state: String(row['state']) as ProductState,
    missingRuns: Number(row['missing_runs']),
    missingSince: text(row['missing_since']),
  };
}

/** Converts the validators and warnings of a row. */
export function toValidators(row: Row): ProductValidators {
  const warnings = text(row['warnings']);
  return {
    etag: text(row['etag']),
    lastModified: text(row['last_modified']),
    listedModified: text(row['listed_modified']),
    checkedAt: String(row['checked_at']),
    warnings: warnings === undefined ? undefined : (JSON.parse(warnings) as StoredWarning[]),
  };
}

function toRecord<R>(row: Row): Stored<R> {
  return {
    ...parse<R>(row),
    digest: String(row['digest']),
    changedAt: String(row['changed_at']),
  };
}

export function toAsset(row: Row): StoredAsset {
  return {
    url: String(row['url']),
    kind: String(row['kind']),
    digest: text(row['digest']),
    file: text(row['file']),
    bytes: integer(row['bytes']),
    mimeType: text(row['mime_type']),
    width: integer(row['width']),
    height: integer(row['height']),
    details: row['details'] === null ? undefined : (JSON.parse(String(row['details'])) as StoredAsset['details']),
    lastModified: text(row['last_modified']),
    etag: text(row['etag']),
    reachable: row['reachable'] === 1,
    problem: text(row['problem']),
    fetchedAt: text(row['fetched_at']),
    checkedAt: String(row['checked_at']),
    unaccepted: row['unaccepted'] === null ? undefined : (JSON.parse(String(row['unaccepted'])) as PendingBytes),
  };
}

function toEarlier(row: Row): EarlierDocument {
  return {
    url: String(row['url']),
    language: text(row['document_language']),
    digest: text(row['digest']) || undefined,
    file: text(row['file']),
    bytes: integer(row['bytes']),
    replacedAt: String(row['replaced_at']),
  };
}

function toSource(row: Row): StoredSource {
  return {
    name: String(row['name']) as StoredSource['name'],
    base: String(row['base']),
    cursor: text(row['cursor']),
    lastSuccess: String(row['last_success']),
    failedSince: text(row['failed_since']),
    problem: text(row['problem']),
  };
}

function toRun(row: Row): StoredRun {
  return {
    id: String(row['id']),
    startedAt: String(row['started_at']),
    finishedAt: String(row['finished_at']),
    changed: row['changed'] === 1,
    digest: String(row['digest']),
    previousDigest: text(row['previous_digest']),
    requests: Number(row['requests']),
    report: text(row['report']),
  };
}

/** The sync validated the shape before writing the JSON. */
function parse<T>(row: Row): T {
  return JSON.parse(String(row['record'])) as T;
}

function text(value: SQLOutputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function integer(value: SQLOutputValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
