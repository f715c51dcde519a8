import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { openRebuildable } from '#files/open-rebuildable.ts';
import { groupConsecutive } from '#files/group-consecutive.ts';
import type { HashPart } from '#files/hash-parts.ts';
import { cachedStatements } from '#snapshot/index.ts';
import { cacheByObject, cacheByText } from '../cache.ts';
import type {
  DocumentAsset,
  EarlierDocumentAsset,
  ImageAsset,
  ProductEntry,
  ProductListEntry,
} from '../entries/entries.ts';
import type { FamilyZip } from '../documents/family-zips.ts';
import type { FacetSummary } from '../facets/group-facets.ts';
import type { GroupNorm } from '../norms/norm-groups.ts';
import type { Highlight, ListColumn } from '../products/key-values.ts';

/**
 * Tables of the product index: list data of all products in a separate file, which any build can derive again from
 * the snapshot. It depends on the options and the site's folder, so the snapshot, which several sites may read, doesn't
 * contain it. Builds read single product groups from it instead of loading all products.
 */
export const TABLES = `
-- Entries by page language. A product group is a family, or '' for products without one.
CREATE TABLE entries (
  language   TEXT NOT NULL,
  gtin       TEXT NOT NULL,
  product_group TEXT NOT NULL,
  archived   INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  slug       TEXT NOT NULL,
  changed    TEXT NOT NULL,
  -- Digest of everything that the product's page can show, of what other pages show of it, and of its searchable texts.
  digest     TEXT NOT NULL,
  row_digest TEXT NOT NULL,
  searched   TEXT NOT NULL,
  -- Hash of the GTIN, which never changes. A range of hashes is a part that changes of other parts don't affect.
  place      INTEGER NOT NULL,
  -- Copied from the data, for lookups and for reading one column of all products.
  name       TEXT NOT NULL,
  record_language TEXT NOT NULL,
  item_number TEXT NOT NULL,
  family     TEXT,
  -- Section and sort keys of the product tables.
  section    TEXT NOT NULL,
  by_name    TEXT NOT NULL,
  by_number  TEXT NOT NULL,
  data       TEXT NOT NULL
) STRICT;

-- Documents of offered and discontinued products, by page language.
CREATE TABLE documents (
  language TEXT NOT NULL,
  gtin     TEXT NOT NULL,
  -- Display order: current documents first, then earlier ones.
  place    INTEGER NOT NULL,
  href     TEXT NOT NULL,
  current  INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, gtin, place)
) STRICT, WITHOUT ROWID;

-- Declared values of a product group for a norm, as shown on the page of the norm.
CREATE TABLE norms (
  language TEXT NOT NULL,
  norm     TEXT NOT NULL,
  product_group TEXT NOT NULL,
  summary  TEXT NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, norm, product_group)
) STRICT, WITHOUT ROWID;

CREATE TABLE product_groups (
  language TEXT NOT NULL,
  product_group TEXT NOT NULL,
  count    INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, product_group)
) STRICT, WITHOUT ROWID;

-- Pages of the product tables.
CREATE TABLE directory_pages (
  language TEXT NOT NULL,
  list     TEXT NOT NULL,
  section  TEXT NOT NULL,
  number   INTEGER NOT NULL,
  -- Sort key of the first row. Seeking by key avoids counting rows, which gets slower with each page.
  key      TEXT NOT NULL,
  gtin     TEXT NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, list, section, number)
) STRICT, WITHOUT ROWID;
`;

/** Indexes, apart from the tables because sorting all rows at the end is faster than inserting them in order. */
export const INDEXES = `
CREATE UNIQUE INDEX entries_by_product ON entries (gtin, language);
-- Lookup by the names that texts use.
CREATE INDEX entries_by_item_number ON entries (language, item_number, gtin);
CREATE INDEX entries_by_name ON entries (language, name, gtin);
CREATE INDEX entries_by_place ON entries (language, archived, place, gtin, digest, searched);
CREATE INDEX entries_by_group ON entries (language, archived, product_group, position, gtin, slug);
CREATE INDEX names_in_order ON entries (language, section, by_name, gtin) WHERE archived = 0;
CREATE INDEX numbers_in_order ON entries (language, by_number, gtin) WHERE archived = 0;
CREATE INDEX gtins_in_order ON entries (language, gtin) WHERE archived = 0;
CREATE INDEX documents_by_address ON documents (language, current, href);
CREATE INDEX norms_by_group ON norms (language, product_group);
-- Covering index without the large data column.
CREATE INDEX norms_by_language ON norms (language, norm, product_group, summary);
`;

const SCHEMA = `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID; ${TABLES} ${INDEXES}`;

/** Increment it when the schema or the content of entries changes. */
const VERSION = 27;

export interface ListedDocuments {
  documents: DocumentAsset[];
  /** Replaced documents, newest first. */
  earlierDocuments: EarlierDocumentAsset[];
}

export interface ProductDocuments extends ListedDocuments {
  product: Pick<ProductListEntry, 'gtin' | 'name' | 'item_number' | 'slug'>;
  /** Date on which it was discontinued. Undefined for current products. */
  archivedSince: Date | undefined;
}

export const MAX_NEIGHBOURS = 4;

/** Current or former position of a product in the assortment's order. */
export interface ListPosition {
  language: string;
  /** ID of the family. Empty for products without a family. */
  productGroup: string;
  position: number;
  gtin: string;
}

export interface IndexedPage {
  id: string;
  data: { pageLanguage: string; slug: string; gtin: string };
}

/** Fields of a product that are columns of the product index. */
export interface ListedColumns extends Pick<
  ProductEntry,
  'name' | 'gtin' | 'language' | 'item_number' | 'pageLanguage' | 'slug' | 'family'
> {
  /** Present only if the product is still offered. */
  archived?: undefined;
}

/** Tables of all current products, in three orders. */
export const DIRECTORY_LISTS = ['names', 'item-numbers', 'gtins'] as const;

export type DirectoryList = (typeof DIRECTORY_LISTS)[number];

export interface DirectoryPage {
  list: DirectoryList;
  /** Letter of the A-Z list. Empty for the other lists. */
  section: string;
  /** One-based, within its section. */
  number: number;
  /** Sort labels of the first and last row. */
  first: string;
  last: string;
  /** Digest of the rows. */
  digest: string;
}

export interface DirectoryRow {
  gtin: string;
  name: string;
  /** Language of the name, which may differ from the page's language. */
  language: string;
  item_number: string;
  slug: string;
}

/** A product group in a language, without its products. */
export interface ListedGroup {
  /** ID of the family. Empty for products without a family. */
  productGroup: string;
  count: number;
  /** Properties shown in lists, in this order. Those named by the assortment come first. */
  highlights: readonly Highlight[];
  /** Columns of lists, the same properties in every language. */
  columns: readonly ListColumn[];
  /** Digest of the columns, and of the products in their order. */
  version: string;
  image: ImageAsset | undefined;
  /** GTIN of the product that represents the group. */
  firstGtin: string;
  /** True if the material need can be calculated from the size of at least one product. */
  isMeasured: boolean;
  /** Digest of the documents shown in tables. */
  documentsDigest: string;
  /** Types of documents that the family page offers as ZIP. Empty for products without a family. */
  zips: FamilyZip[];
  /** Facets of the group. Empty for products without a family. */
  facets: FacetSummary[];
  /** Values that all products share. */
  shared: FacetSummary[];
}

export interface DiscontinuedProduct {
  gtin: string;
  digest: string;
}

/** A norm under which products of a group declare values. */
export interface ListedNorm {
  /** `en-1928`. */
  norm: string;
  productGroup: string;
  /** `EN 1928`. */
  name: string;
  /** Number of products. */
  count: number;
  /** Number of declared values, and number of those that `normInGroup` returns. */
  values: number;
  rows: number;
  /** Digest of the result of `normInGroup`. */
  digest: string;
}

/** Enough for several families of a large assortment, or for a small assortment. */
const ENTRIES_IN_MEMORY = 8000;

type Row = Record<string, unknown>;

/** Digests of the entries that were read, here or by another reader of this process. */
const digests = new WeakMap<object, { digest: string; row: string }>();

/** Product data for lists, read group by group. Only the most recent groups stay in memory. */
export type ProductIndex = ReturnType<typeof readProductIndex>;

/** Creates the reader of a product index. Whole lists are cached. */
export function readProductIndex(database: DatabaseSync) {
  const { getOne, getAll } = cachedStatements(database);
  const revive = (row: Row): ProductListEntry => {
    const entry = reviveEntry(String(row['data']));
    digests.set(entry, { digest: String(row['digest']), row: String(row['row_digest']) });
    return entry;
  };
  const groups = new Map<string, readonly ProductListEntry[]>();
  let entriesInMemory = 0;
  /**
   * Returns the current products of a group, in the assortment's order. The list is the same object while it is in
   * memory.
   */
  const productGroup = (language: string, id: string): readonly ProductListEntry[] => {
    const key = `${language}/${id}`;
    const known = groups.get(key);
    const group = known ?? getAll(`${IN_GROUP} ${IN_ORDER}`, language, id).map(revive);
    if (!known) entriesInMemory += group.length;
    // Move the most recently used group to the end.
    groups.delete(key);
    groups.set(key, group);
    for (const [oldest, list] of groups) {
      if (entriesInMemory <= ENTRIES_IN_MEMORY || oldest === key) break;
      groups.delete(oldest);
      entriesInMemory -= list.length;
    }
    return group;
  };
  let readsAhead = false;
  /** Returns a product group if it is in memory or reading ahead is enabled. */
  const groupIfLoaded = (language: string, id: string): readonly ProductListEntry[] | undefined =>
    readsAhead ? productGroup(language, id) : groups.get(`${language}/${id}`);
  /** Returns the first products of a group. Pages with them show few products of many groups. */
  const head = (language: string, id: string, limit: number): readonly ProductListEntry[] =>
    groups.get(`${language}/${id}`)?.slice(0, limit) ??
    getAll(`${IN_GROUP} ${IN_ORDER} LIMIT ?`, language, id, limit).map(revive);
  /** Last found group by language, because consecutive products are often of the same group. */
  const lastGroups = new Map<string, string>();
  const groupOf = (language: string, gtin: string): { id: string; isArchived: boolean } | undefined => {
    const last = lastGroups.get(language) ?? '';
    const loaded = groups.get(`${language}/${last}`);
    if (loaded && positionsIn(loaded).has(gtin)) return { id: last, isArchived: false };
    const row = getOne('SELECT archived, product_group FROM entries WHERE language = ? AND gtin = ?', language, gtin);
    if (!row) return undefined;
    const id = String(row['product_group']);
    lastGroups.set(language, id);
    return { id, isArchived: row['archived'] === 1 };
  };
  return {
    /**
     * Enables or disables reading whole product groups on access to one product. Enable it when many products of a
     * group follow.
     */
    readAhead: (isOn = true) => void (readsAhead = isOn),
    /** Number of current products in a language. */
    count: cacheByText((language) => Number(getOne(COUNT, language)?.['n'])),
    /** Number of current documents, including those of discontinued products. */
    countDocuments: cacheByText((language) => Number(getOne(COUNT_DOCUMENTS, language)?.['n'])),
    /** Returns the documents of a current or discontinued product. */
    documentsOf: (language: string, gtin: string): ListedDocuments =>
      reviveDocuments(
        getAll('SELECT current, data FROM documents WHERE language = ? AND gtin = ? ORDER BY place', language, gtin),
      ),
    /**
     * Iterates over the documents of all products, in the assortment's order. Current products come first,
     * discontinued products last.
     */
    documents: (language: string) =>
      groupConsecutive(database.prepare(ALL_DOCUMENTS).iterate(language), ({ gtin }) => gtin).map(toDocumentsOfProduct),
    /** Returns discontinued products with documents, in their former order. */
    discontinued: cacheByText((language): DiscontinuedProduct[] => getAll(DISCONTINUED, language).map(withDigest)),
    /** Returns norms with the groups that declare values under them, by slug. */
    norms: cacheByText((language) =>
      getAll('SELECT summary FROM norms WHERE language = ?', language).map(
        ({ summary }) => JSON.parse(String(summary)) as ListedNorm,
      ),
    ),
    /** Returns the values that a group declares under a norm, up to the limit of the norm's page. */
    normInGroup: (language: string, norm: string, group: string): GroupNorm | undefined => {
      const row = getOne(
        'SELECT data FROM norms WHERE language = ? AND norm = ? AND product_group = ?',
        language,
        norm,
        group,
      );
      return row && (JSON.parse(String(row['data'])) as GroupNorm);
    },
    productGroups: cacheByText((language) =>
      getAll('SELECT data FROM product_groups WHERE language = ?', language).map(
        ({ data }) => JSON.parse(String(data)) as ListedGroup,
      ),
    ),
    productGroup,
    head,
    /**
     * Returns the products after a product in its group, wrapping to the first. Returns the first products for a
     * discontinued one.
     */
    neighbours: (entry: ProductListEntry): readonly ProductListEntry[] => {
      const { pageLanguage: language, gtin, position } = entry;
      const id = groupOf(language, gtin)?.id ?? '';
      if (entry.archived) return head(language, id, MAX_NEIGHBOURS);
      const list = groupIfLoaded(language, id);
      if (list) return relatedProducts(list, gtin, MAX_NEIGHBOURS);
      const after = getAll(AFTER, language, id, position, gtin, MAX_NEIGHBOURS);
      const missing = MAX_NEIGHBOURS - after.length;
      const before = missing > 0 ? getAll(BEFORE, language, id, position, gtin, missing) : [];
      return [...after, ...before].map(revive);
    },
    /** Returns a current or discontinued product. */
    product: (language: string, gtin: string): ProductListEntry | undefined => {
      const group = groupOf(language, gtin);
      const list = group && !group.isArchived ? groupIfLoaded(language, group.id) : undefined;
      if (list) return list[positionsIn(list).get(gtin) ?? -1];
      const row = group && getOne('SELECT * FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return row && revive(row);
    },
    /** Returns the current products with these names or item numbers, at most `limit` per name, by GTIN. */
    named: (language: string, names: readonly string[], limit: number): ProductListEntry[] =>
      names.length === 0 ? [] : getAll(FIND_BY_NAME, language, JSON.stringify(names), limit).map(revive),
    /** Returns a value that changes with every change of a product. */
    revision: () => String(getOne(`SELECT value FROM meta WHERE key = 'revision'`)?.['value'] ?? ''),
    /**
     * Returns the pages of all current and discontinued products, by product group. Languages of a product are
     * adjacent.
     */
    index: (): IndexedPage[] => getAll(`${INDEX} ORDER BY archived, product_group, gtin, language`).map(toIndexed),
    /** Returns all current and discontinued products, in the order of lists. */
    columns: () =>
      Array.from(database.prepare(COLUMNS).iterate(), (row) => {
        const { id, data } = toIndexed(row);
        const columns: ListedColumns = {
          ...data,
          name: String(row['name']),
          language: String(row['record_language']),
          item_number: String(row['item_number']),
          family: row['family'] === null ? undefined : String(row['family']),
          ...(row['archived'] === 0 && { archived: undefined }),
        };
        return { id, digest: String(row['digest']), columns };
      }),
    /** Returns the pages, by ID, that have one of these positions among their neighbours, occupied or not. */
    pagesShowing: (positions: readonly ListPosition[]): Map<string, IndexedPage> => {
      const pages = new Map<string, IndexedPage>();
      const addPages = (rows: readonly Row[]): void => {
        for (const page of rows.map(toIndexed)) pages.set(page.id, page);
      };
      const nearStart = new Map<string, ListPosition>();
      for (const listPosition of positions) {
        const { language, productGroup: id, position, gtin } = listPosition;
        const before = getAll(PAGES_BEFORE, language, id, position, gtin, MAX_NEIGHBOURS);
        addPages(before);
        if (before.length < MAX_NEIGHBOURS) nearStart.set(`${language}/${id}`, listPosition);
      }
      // The first products of a group are also neighbours of its last ones and of discontinued products.
      for (const { language, productGroup: id } of nearStart.values()) {
        addPages(getAll(PAGES_AT_END, language, id, MAX_NEIGHBOURS));
        addPages(getAll(ARCHIVED_PAGES, language, id));
      }
      return pages;
    },
    pagesOf: (gtin: string) => getAll(`${INDEX} WHERE gtin = ?`, gtin).map(toIndexed),
    /** Returns the current products of a hash bucket (`hashBucket(gtin)`), by GTIN. */
    part: (language: string, { from, to }: HashPart): ProductListEntry[] =>
      getAll(`SELECT data, digest, row_digest ${IN_PART} ORDER BY gtin`, language, from, to).map(revive),
    /** Returns the digests of everything that the pages of a hash bucket's products show. */
    partDigests: (language: string, { from, to }: HashPart) =>
      getAll(`SELECT gtin, digest ${IN_PART} ORDER BY gtin`, language, from, to).map(withDigest),
    /** Returns the digest of everything that the search indexes of the products in a hash bucket. */
    searchDigest: (language: string, { from, to }: HashPart): string =>
      hash('sha1', String(getOne(SEARCHED_IN_PART, language, from, to)?.['texts'])),
    /** Returns the digests of everything that the pages of each product show, in all languages. */
    digests: function* () {
      for (const { gtin, digests: digest } of database.prepare(`${DIGESTS} GROUP BY gtin`).iterate())
        yield { gtin: String(gtin), digests: String(digest) };
    },
    /** Returns the digests of one product. Undefined if it doesn't exist. */
    digestsOfProduct: (gtin: string): string | undefined => {
      const row = getOne(`${DIGESTS} WHERE gtin = ? GROUP BY gtin`, gtin);
      return row && String(row['digests']);
    },
    /** Returns the ISO timestamp of the last change of a page's content. */
    changedAt: (language: string, gtin: string): string | undefined => {
      const row = getOne('SELECT changed FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return row && String(row['changed']);
    },
    /** Returns the digest of everything that a product's page shows, excluding its neighbours. */
    digestOf: (entry: ProductListEntry): string => {
      const entryDigests = digests.get(entry);
      if (!entryDigests) throw new Error(`${entry.gtin} is not an entry of a product index.`);
      return entryDigests.digest;
    },
    /** Returns the digest of everything that other pages show of an entry. Undefined for other objects. */
    findRowDigest: (entry: object): string | undefined => digests.get(entry)?.row,
    /** Returns the pages of all tables in a language, in order. */
    directoryPages: cacheByText((language) =>
      getAll('SELECT data FROM directory_pages WHERE language = ? ORDER BY list, section, number', language).map(
        ({ data }) => JSON.parse(String(data)) as DirectoryPage,
      ),
    ),
    directoryRows: (
      language: string,
      { list, section, number }: Pick<DirectoryPage, 'list' | 'section' | 'number'>,
    ): DirectoryRow[] => {
      const first = getOne(
        'SELECT key, gtin FROM directory_pages WHERE language = ? AND list = ? AND section = ? AND number = ?',
        language,
        list,
        section,
        number,
      );
      if (!first) return [];
      const { section: sectionColumn, key, order } = ORDERS[list];
      const rows = getAll(
        `${DIRECTORY_ROWS} AND ${sectionColumn} = ? AND (${key}, gtin) >= (?, ?) ORDER BY ${order} LIMIT ?`,
        language,
        section,
        String(first['key']),
        String(first['gtin']),
        ROWS_PER_PAGE,
      );
      return rows.map(toDirectoryRow);
    },
  };
}

/**
 * Returns the products after a product in its group, wrapping to the first, so that every product is a neighbour of
 * another.
 */
export function relatedProducts<T extends { gtin: string }>(group: readonly T[], gtin: string, limit: number): T[] {
  const index = positionsIn(group).get(gtin) ?? -1;
  const following = group.slice(index + 1, index + 1 + limit);
  return [...following, ...group.slice(0, Math.max(0, Math.min(index, limit - following.length)))];
}

/** Returns positions in a group by GTIN. Cached, because each product needs it. */
const positionsIn = cacheByObject(
  (group: readonly { gtin: string }[]) => new Map(group.map(({ gtin }, position) => [gtin, position])),
);

export const ROWS_PER_PAGE = 150;

/** Column expressions of each product table. Ties are ordered by GTIN. */
export const ORDERS: Record<DirectoryList, { section: string; key: string; order: string }> = {
  names: { section: 'section', key: 'by_name', order: 'section, by_name, gtin' },
  'item-numbers': { section: `''`, key: 'by_number', order: 'by_number, gtin' },
  gtins: { section: `''`, key: 'gtin', order: 'gtin' },
};

const DIRECTORY_ROWS = `SELECT gtin, name, record_language, item_number, slug FROM entries
  WHERE language = ? AND archived = 0`;

export function toDirectoryRow({ gtin, name, record_language: language, item_number, slug }: Row): DirectoryRow {
  return {
    gtin: String(gtin),
    name: String(name),
    language: String(language),
    item_number: String(item_number),
    slug: String(slug),
  };
}

const COUNT = 'SELECT coalesce(sum(count), 0) AS n FROM product_groups WHERE language = ?';
const COUNT_DOCUMENTS = 'SELECT count(DISTINCT href) AS n FROM documents WHERE language = ? AND current = 1';
const IN_PART = 'FROM entries WHERE language = ? AND archived = 0 AND place >= ? AND place < ?';
const SEARCHED_IN_PART = `SELECT group_concat(searched ORDER BY place, gtin) AS texts ${IN_PART}`;
const DIGESTS = `SELECT gtin, group_concat(language || ' ' || digest, ' ' ORDER BY language) AS digests FROM entries`;
const INDEX = 'SELECT language, gtin, slug FROM entries';
const COLUMNS = `
SELECT language, gtin, slug, archived, name, record_language, item_number, family, digest
  FROM entries ORDER BY language, archived, product_group, position, gtin`;
const IN_GROUP = `SELECT data, digest, row_digest FROM entries
  WHERE language = ? AND archived = 0 AND product_group = ?`;
const IN_ORDER = 'ORDER BY position, gtin';
const AFTER = `${IN_GROUP} AND (position, gtin) > (?, ?) ${IN_ORDER} LIMIT ?`;
const BEFORE = `${IN_GROUP} AND (position, gtin) < (?, ?) ${IN_ORDER} LIMIT ?`;
const PAGES_IN_GROUP = `${INDEX} WHERE language = ? AND archived = 0 AND product_group = ?`;
const FROM_THE_END = 'ORDER BY position DESC, gtin DESC LIMIT ?';
const PAGES_BEFORE = `${PAGES_IN_GROUP} AND (position, gtin) < (?, ?) ${FROM_THE_END}`;
const PAGES_AT_END = `${PAGES_IN_GROUP} ${FROM_THE_END}`;
const ARCHIVED_PAGES = `${INDEX} WHERE language = ? AND archived = 1 AND product_group = ?`;
// The unary plus keeps SQLite from choosing an index that reads the names of all offered products.
const namedBy = (column: 'item_number' | 'name'): string => `
SELECT gtin, data, digest, row_digest FROM json_each(?2) AS names CROSS JOIN entries WHERE entries.rowid IN (
  SELECT rowid FROM entries
   WHERE language = ?1 AND ${column} = names.value AND +archived = 0 ORDER BY gtin LIMIT ?3)`;
export const FIND_BY_NAME = `${namedBy('item_number')} UNION ${namedBy('name')} ORDER BY gtin`;

const ALL_DOCUMENTS = `
SELECT e.gtin, e.slug, e.name, e.item_number,
       CASE e.archived WHEN 1 THEN e.data ->> '$.archived.since' END AS archived_since, d.current, d.data
  FROM entries e JOIN documents d ON d.language = e.language AND d.gtin = e.gtin
 WHERE e.language = ? ORDER BY e.archived, e.position, e.gtin, d.place`;
const DISCONTINUED = `
SELECT gtin, digest FROM entries AS e WHERE language = ? AND archived = 1
   AND EXISTS (SELECT 1 FROM documents AS d WHERE d.language = e.language AND d.gtin = e.gtin)
 ORDER BY position, gtin`;

/** Restores dates, which JSON stores as strings. */
function reviveDocuments(rows: readonly Row[]): ListedDocuments {
  const documents: DocumentAsset[] = [];
  const earlierDocuments: EarlierDocumentAsset[] = [];
  for (const { current, data } of rows) {
    if (current === 1) {
      const document = JSON.parse(String(data)) as DocumentAsset;
      if (document.modified) document.modified = new Date(document.modified);
      documents.push(document);
    } else {
      const earlier = JSON.parse(String(data)) as EarlierDocumentAsset;
      earlier.replaced = new Date(earlier.replaced);
      earlierDocuments.push(earlier);
    }
  }
  return { documents, earlierDocuments };
}

function toDocumentsOfProduct(rows: readonly [Row, ...Row[]]): ProductDocuments {
  const { gtin, slug, name, item_number, archived_since: since } = rows[0];
  return {
    product: { gtin: String(gtin), name: String(name), item_number: String(item_number ?? ''), slug: String(slug) },
    archivedSince: typeof since === 'string' ? new Date(since) : undefined,
    ...reviveDocuments(rows),
  };
}

function withDigest({ gtin, digest }: Row): { gtin: string; digest: string } {
  return { gtin: String(gtin), digest: String(digest) };
}

function toIndexed({ language, gtin, slug }: Row): IndexedPage {
  const data = { pageLanguage: String(language), slug: String(slug), gtin: String(gtin) };
  return { id: `${data.pageLanguage}/${data.gtin}`, data };
}

/** Restores dates, which JSON stores as strings. */
function reviveEntry(text: string): ProductListEntry {
  const entry = JSON.parse(text) as ProductListEntry;
  entry.changed = new Date(entry.changed);
  if (entry.archived) entry.archived.since = new Date(entry.archived.since);
  return entry;
}

/** Opens the product index that `updateProductIndex` has written. Throws if there is none. */
export function openProductIndex(file: string): ProductIndex & { close(): void } {
  const database = new DatabaseSync(file, { readOnly: true });
  return { ...readProductIndex(database), close: () => database.close() };
}

/** Opens the product index for writing, and creates it if needed. */
export function openWritableProductIndex(file: string): DatabaseSync {
  return openRebuildable(file, { version: VERSION, schema: SCHEMA });
}
