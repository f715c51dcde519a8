import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { StoredWarning } from '#contracts/index.ts';
import type { KindReference, RecordOf, SyncedRecord } from '#contracts/synced/index.ts';
import {
  cachedStatements,
  fromRow,
  GTIN_OF_OWNER,
  IS_PRODUCT_OWNER,
  LANGUAGE_OF_OWNER,
  toAsset,
  toValidators,
  type BrokenDocument,
  type EarlierDocument,
  type FamilyRecord,
  type LanguageRecord,
  type PastAddress,
  type PastDocument,
  type PastName,
  type PastSlug,
  type ProductCheck,
  type Row,
  type SiteRecord,
  type Stored,
  type StoredAsset,
  type StoredFile,
  type StoredProduct,
  type StoredRun,
  type StoredSource,
} from './rows.ts';
import { NORMALISER_VERSION, stripSignature } from './digest-record.ts';

export interface ChangeCursor {
  /** Id of the last run with changes; empty before the first one. */
  run: string;
  products: number;
  /** Number of changes to assets or their metadata. */
  assets: number;
  /** Number of changes to records other than products. */
  records: number;
}

const nameOf = (kind: KindReference): string => (typeof kind === 'string' ? kind : kind.kind);

const toProduct = (row: Row): StoredProduct => fromRow(row, ['record']);
const toRecord = <R extends object>(row: Row): Stored<R> => ({
  ...(JSON.parse(String(row['record'])) as R),
  digest: String(row['digest']),
  changedAt: String(row['changed_at']),
});

/** Typed read access to the snapshot. Iterators read row by row: keep the snapshot open until they end. */
export type SnapshotReader = ReturnType<typeof readSnapshot>;

export function readSnapshot(database: DatabaseSync) {
  const { getOne, getAll } = cachedStatements(database);
  const valueOf = (sql: string, ...values: SQLInputValue[]) => Object.values(getOne(sql, ...values) ?? {})[0];
  const meta = (key: string) => valueOf('SELECT value FROM meta WHERE key = ?', key) as string | undefined;
  function* iterate<T>(sql: string, values: SQLInputValue[], map: (row: Row) => T): Generator<T, undefined> {
    for (const row of database.prepare(sql).iterate(...values)) yield map(row);
    return undefined;
  }
  const productsWhere = (state: string) =>
    iterate(`SELECT ${PRODUCT} FROM products WHERE ${state} ORDER BY position, gtin, language`, [], toProduct);
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
      const row = getOne(`SELECT ${PRODUCT} FROM products WHERE gtin = ? AND language = ?`, gtin, language);
      return row && toProduct(row);
    },
    /** A product in all its languages, in any state. */
    languagesOf: (gtin: string): StoredProduct[] =>
      getAll(`SELECT ${PRODUCT} FROM products WHERE gtin = ? ORDER BY language`, gtin).map(toProduct),
    /** Current end of the change log. It only grows within one snapshot file. */
    changeCursor: (): ChangeCursor => ({
      run: String(valueOf('SELECT id FROM runs WHERE changed = 1 ORDER BY rowid DESC LIMIT 1') ?? ''),
      products: Number(valueOf(LAST_CHANGE)),
      assets: Number(valueOf(`SELECT count FROM change_counts WHERE kind = 'asset'`)),
      records: Number(valueOf(`SELECT count FROM change_counts WHERE kind = 'record'`)),
    }),
    /** True if this snapshot continues the cursor's snapshot; false for another file or an older copy. */
    hasPassed: ({ run, products }: ChangeCursor): boolean =>
      getOne('SELECT 1 FROM runs WHERE id = ?', run) !== undefined && products <= Number(valueOf(LAST_CHANGE)),
    /** GTINs of products that have changed since a cursor, even if the change was reverted. */
    changedSince: ({ products }: ChangeCursor): string[] => [
      ...iterate('SELECT gtin FROM product_changes WHERE id > ? ORDER BY id', [products], ({ gtin }) => String(gtin)),
    ],
    /** Former names, by GTIN. */
    pastNames: (): IterableIterator<PastName> =>
      iterate('SELECT gtin, language, name FROM past_names ORDER BY gtin, language, name', [], fromRow<PastName>),
    /** Former addresses, latest first. */
    pastPlaces: (kind: string): IterableIterator<PastAddress> => iterate(PAST_PLACES, [kind], fromRow<PastAddress>),
    /** Former slugs, latest first. */
    pastSlugs: (): PastSlug[] => getAll(PAST_SLUGS).map((row) => fromRow<PastSlug>(row)),
    /** Families that no longer exist or have lost products, each with the current family of most of these products. */
    pastFamilies: (): Map<string, string | undefined> =>
      new Map(getAll(PAST_FAMILIES).map(({ family, now }) => [String(family), now === null ? undefined : String(now)])),
    /** State and validators of the stored record, for the next request. */
    known: (gtin: string, language: string): ProductCheck | undefined => {
      const row = getOne(KNOWN, gtin, language);
      return row && toValidators<ProductCheck>(row);
    },
    hasRecord: (kind: string, id: string): boolean => getOne(RECORD, kind, id) !== undefined,
    /** Warnings stored with present records of the publishing site. */
    recordWarnings: (): { kind: string; id: string; warnings: StoredWarning[] }[] =>
      getAll(RECORD_WARNINGS).map((row) => fromRow(row, ['warnings'])),
    /** True if the records were stored by another normaliser version, so that all have to be read again. */
    isOutgrown: (): boolean => ![undefined, String(NORMALISER_VERSION)].includes(meta('normaliser')),
    /** True if other further fields were declared when products were last read. */
    hasOtherFields: (extraFields: readonly string[]): boolean =>
      (meta('extra_fields') ?? '[]') !== JSON.stringify(extraFields),
    /** Name and description of the publishing site. */
    site: (): Stored<SiteRecord> | undefined => getAll(RECORDS, 'site').map(toRecord<SiteRecord>)[0],
    /** Present records of a kind of the publishing site, by id. */
    records: <Kind extends KindReference>(kind: Kind): IterableIterator<Stored<RecordOf<Kind>>> =>
      iterate(RECORDS, [nameOf(kind)], toRecord<RecordOf<Kind>>),
    /** A present record of the publishing site. */
    record: (kind: string, id: string): Stored<SyncedRecord> | undefined => {
      const row = getOne(RECORD, kind, id);
      return row && toRecord<SyncedRecord>(row);
    },
    /** Selected fields of a present record; missing ones are undefined. */
    fieldsOf: (kind: string, id: string, names: readonly string[]): Record<string, unknown> | undefined => {
      const fields = valueOf(
        `SELECT json_extract(record, '$.id'${", '$.' || ?".repeat(names.length)}) AS fields
           FROM records WHERE kind = ? AND id = ? AND state = 'present'`,
        ...names,
        kind,
        id,
      );
      if (fields === undefined) return undefined;
      const [, ...values] = JSON.parse(String(fields)) as unknown[];
      return Object.fromEntries(names.map((name, i) => [name, values[i] ?? undefined]));
    },
    asset: (url: string, kind: string): StoredAsset | undefined => {
      const row = getOne('SELECT * FROM assets WHERE url = ? AND kind = ?', stripSignature(url), kind);
      return row && toAsset(row);
    },
    /** GTINs of the products that refer to an asset, in any language and state. */
    assetOwners: ({ url, kind }: { url: string; kind: string }): string[] =>
      getAll(ASSET_OWNERS, stripSignature(url), kind).map(({ gtin }) => String(gtin)),
    /** Digest of the files that records other than products refer to, such as images in posts, pages and media. */
    describeArticleFiles: (): string => {
      const digest = createHash('sha1');
      for (const row of database.prepare(ARTICLE_FILES).iterate()) digest.update(JSON.stringify(Object.values(row)));
      return digest.digest('base64url');
    },
    assets: (): IterableIterator<StoredAsset> => iterate('SELECT * FROM assets ORDER BY url, kind', [], toAsset),
    /**
     * Earlier documents of a product at the current or an earlier address, newest first.
     * @param document `url` is the current address; undefined if there is none.
     */
    earlierDocuments: (document: {
      gtin: string;
      language: string;
      field: string;
      url: string | undefined;
    }): EarlierDocument[] => {
      // This runs for every product, and most assortments have no earlier documents.
      if (!getOne(ANY_EARLIER_DOCUMENT)) return [];
      const { gtin, language, field, url } = document;
      const rows = getAll(EARLIER_DOCUMENTS, gtin, language, field, url === undefined ? null : stripSignature(url));
      return rows.map((row) => fromRow<EarlierDocument>(row));
    },
    /** Files and replaced documents whose bytes are stored. */
    storedFiles: (): IterableIterator<StoredFile> => iterate(STORED_FILES, [], fromRow<StoredFile>),
    /** Documents that had another address before. That address may still be in use. */
    pastDocuments: (): IterableIterator<PastDocument> =>
      iterate(PAST_DOCUMENTS, [], (row) => fromRow<PastDocument>(row, ['owner'])),
    /** Documents of present products that were unavailable at the last attempt, by address. */
    brokenDocuments: (): BrokenDocument[] =>
      getAll(BROKEN_DOCUMENTS).map((row) => fromRow<BrokenDocument>(row, ['gtins'])),
    /** Id of a head such as `post/7` -> address that its page redirects to. */
    redirects: (): Map<string, string> =>
      new Map(getAll(REDIRECTS).map(({ id, redirect }) => [String(id), String(redirect)])),
    /** True if an editor has excluded any page from search engines. */
    hidesPages: (): boolean => getOne(HIDDEN_HEAD) !== undefined,
    sources: (): StoredSource[] =>
      getAll('SELECT * FROM sources ORDER BY name').map((row) => fromRow<StoredSource>(row)),
    /** Newest first. */
    runs: (limit = 20): StoredRun[] => [
      ...iterate('SELECT * FROM runs ORDER BY started_at DESC, id DESC LIMIT ?', [limit], fromRow<StoredRun>),
    ],
  };
}

/** Reads each kind of record and each asset once. For short tasks: it doesn't see later writes. */
export function withReadCache(snapshot: SnapshotReader): SnapshotReader {
  const records = new Map<string, unknown[]>();
  const assets = new Map<string, StoredAsset | undefined>();
  let site: { record: Stored<SiteRecord> | undefined } | undefined;
  return {
    ...snapshot,
    site: () => (site ??= { record: snapshot.site() }).record,
    // The records cached under the name of a kind are of that kind.
    records: ((kind) => {
      const known = records.get(nameOf(kind)) ?? [...snapshot.records(kind)];
      records.set(nameOf(kind), known);
      return known.values();
    }) as SnapshotReader['records'],
    asset: (url, kind) => {
      const key = `${kind} ${url}`;
      if (!assets.has(key)) assets.set(key, snapshot.asset(url, kind));
      return assets.get(key);
    },
  };
}

/** Reads single members, because heads are large. */
const REDIRECTS = `SELECT id, record ->> '$.redirect' AS redirect FROM records
 WHERE kind = 'head' AND state = 'present' AND record ->> '$.redirect' <> '' ORDER BY id`;
const HIDDEN_HEAD = `SELECT 1 FROM records WHERE kind = 'head' AND state = 'present' AND EXISTS (
   SELECT 1 FROM json_each(record, '$.robots') WHERE value = 'noindex') LIMIT 1`;

const PRODUCT = 'gtin, language, record, digest, state, family, position, changed_at, priced_at, left_at';
const KNOWN = `
SELECT state, checked_at, etag, last_modified, listed_modified, missing_runs, missing_since, warnings
  FROM products JOIN product_checks USING (gtin, language) WHERE gtin = ? AND language = ?`;

const LAST_CHANGE = 'SELECT coalesce(max(id), 0) FROM product_changes';

const ASSET_OWNERS = `SELECT DISTINCT ${GTIN_OF_OWNER} AS gtin FROM asset_references
  WHERE url = ? AND kind = ? AND ${IS_PRODUCT_OWNER} ORDER BY gtin`;

const ARTICLE_FILES = `
SELECT DISTINCT a.url, a.kind, a.digest, a.file, a.bytes, a.mime_type, a.width, a.height, a.details, a.last_modified, a.reachable
  FROM asset_references r JOIN assets a USING (url, kind) WHERE NOT (${IS_PRODUCT_OWNER}) ORDER BY a.url, a.kind`;

const RECORD_WARNINGS = `SELECT kind, id, record ->> '$.warnings' AS warnings FROM records
 WHERE state = 'present' AND record ->> '$.warnings' IS NOT NULL ORDER BY kind, position, id`;

const RECORDS = `SELECT * FROM records WHERE kind = ? AND state = 'present' ORDER BY position, id`;
const RECORD = `SELECT * FROM records WHERE kind = ? AND id = ? AND state = 'present'`;

const PAST_PLACES = `
SELECT CAST(id AS INTEGER) AS id, slug, nullif(parent, 0) AS parent, until FROM past_places WHERE kind = ?
 ORDER BY until DESC, past_places.id, slug, past_places.parent`;

/** Addresses of terms and authors contain only their slug, not those of their parents. */
const PAST_SLUGS = `
SELECT kind, CAST(id AS INTEGER) AS id, slug, max(until) AS until FROM past_places p WHERE kind IN ('category', 'tag', 'author')
   AND slug IS NOT (SELECT record ->> '$.slug' FROM records r WHERE r.kind = p.kind AND r.id = p.id)
 GROUP BY kind, id, slug ORDER BY max(until) DESC, kind, id, slug`;

/** Earlier bytes at the current address, earlier addresses, and the bytes that they had. */
const EARLIER_DOCUMENTS = `
WITH named AS (SELECT * FROM earlier_documents WHERE gtin = ?1 AND language = ?2 AND field = ?3)
SELECT url, nullif(digest, '') AS digest, file, bytes, replaced_at, document_language AS language FROM named
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
WITH owners AS (
  SELECT DISTINCT a.url, coalesce(a.problem, 'is not reachable') AS problem, p.gtin
    FROM assets a JOIN asset_references r USING (url, kind) JOIN products p ON p.gtin = ${GTIN_OF_OWNER} AND p.language = ${LANGUAGE_OF_OWNER}
   WHERE a.kind = 'document' AND a.reachable = 0 AND ${IS_PRODUCT_OWNER} AND p.state = 'present')
SELECT url, problem, json_group_array(gtin ORDER BY gtin) AS gtins FROM owners GROUP BY url ORDER BY url`;

const PAST_DOCUMENTS = `
WITH past AS (
  SELECT url, digest, file, gtin, language, field FROM earlier_documents WHERE file IS NOT NULL
  UNION SELECT url, digest, file, NULL, NULL, NULL FROM asset_history WHERE kind = 'document')
SELECT url, digest, file, iif(gtin IS NULL, NULL, json_object('gtin', gtin, 'language', language, 'field', field)) AS owner
  FROM past ORDER BY url, digest, gtin, language, field`;

const STORED_FILES = `
SELECT url, 'document' AS kind, digest, file FROM earlier_documents WHERE file IS NOT NULL
UNION SELECT url, kind, digest, file FROM asset_history WHERE kind = 'document'
UNION ALL SELECT url, kind, digest, file FROM assets WHERE digest IS NOT NULL AND file IS NOT NULL`;
