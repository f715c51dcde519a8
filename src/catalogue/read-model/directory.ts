import {
  DIRECTORY_LISTS,
  type DirectoryList,
  type DirectoryPage,
  type DirectoryRow,
  type Directory,
} from '#catalogue/read-model/product-index.ts';
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { directorySection } from '#catalogue/directory/directory-view.ts';
import { cachedStatements } from '#snapshot/index.ts';
import { sortKey } from '#catalogue/languages/fold-text.ts';
import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { hashBucket } from '#files/hash-parts.ts';

export const ROWS_PER_PAGE = 150;

/** Number of `hashBucket` values per bucket. Each bucket has its own digest of the searchable texts. */
const HASHES_PER_BUCKET = 2 ** 24;

export const DIRECTORY_SCHEMA = `
-- Names and numbers of offered products.
CREATE TABLE directory (
  gtin      TEXT NOT NULL,
  language  TEXT NOT NULL,
  section   TEXT NOT NULL,
  by_name   TEXT NOT NULL,
  by_number TEXT NOT NULL,
  data      TEXT NOT NULL,
  -- SHA-1 of all searchable texts, in hex.
  search    TEXT NOT NULL,
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;
CREATE INDEX directory_names ON directory (language, section, by_name, gtin);
CREATE INDEX directory_numbers ON directory (language, by_number, gtin);
CREATE INDEX directory_gtins ON directory (language, gtin);

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

-- Digest of all searchable texts by language and bucket. Rows are combined by XOR, so that a row can be added or
-- removed without reading the others.
CREATE TABLE searched (
  language TEXT NOT NULL,
  bucket   INTEGER NOT NULL,
  digest   TEXT NOT NULL,
  PRIMARY KEY (language, bucket)
) STRICT, WITHOUT ROWID;
`;

/** Updates the directory while entries are inserted into the product index. */
export interface DirectoryWriter {
  /** Replaces the rows of a product by those of its pages, by language. */
  replace(gtin: string, offered: readonly { entry: ProductListEntry; searched: unknown }[]): void;
  /** Rewrites the page list of each changed language. */
  describe(): void;
}

export function createDirectoryWriter(database: DatabaseSync): DirectoryWriter {
  const rowsOf = database.prepare('SELECT * FROM directory WHERE gtin = ?');
  const drop = database.prepare('DELETE FROM directory WHERE gtin = ?');
  const insert = database.prepare('INSERT INTO directory VALUES (?, ?, ?, ?, ?, ?, ?)');
  const changedLanguages = new Set<string>();
  /** XOR of added and removed digests, by language and bucket. */
  const searched = new Map<string, Map<number, bigint>>();
  const toggle = (language: string, gtin: string, search: string): void => {
    const buckets = searched.get(language) ?? new Map<number, bigint>();
    const bucket = Math.floor(hashBucket(gtin) / HASHES_PER_BUCKET);
    searched.set(language, buckets.set(bucket, (buckets.get(bucket) ?? 0n) ^ BigInt(`0x${search}`)));
  };
  return {
    replace: (gtin, offered) => {
      const before = new Map(rowsOf.all(gtin).map((row) => [String(row['language']), row]));
      if (before.size > 0) drop.run(gtin);
      for (const { entry, searched: text } of offered) {
        const { name, language, item_number, slug, pageLanguage } = entry;
        const data = JSON.stringify({ gtin, name, language, item_number, slug } satisfies DirectoryRow);
        const search = hash('sha1', JSON.stringify([text, entry.family, entry.imageAsset?.digest, data]), 'hex');
        insert.run(gtin, pageLanguage, directorySection(name), sortKey(name), sortKey(item_number), data, search);
        toggle(pageLanguage, gtin, search);
        if (before.get(pageLanguage)?.['data'] !== data) changedLanguages.add(pageLanguage);
      }
      for (const [language, row] of before) {
        toggle(language, gtin, String(row['search']));
        if (!offered.some(({ entry }) => entry.pageLanguage === language)) changedLanguages.add(language);
      }
    },
    describe: () => {
      for (const language of changedLanguages) describePages(database, language);
      for (const [language, buckets] of searched) describeSearched(database, language, buckets);
    },
  };
}

interface Order {
  section: string;
  /** Sort key within a section. Ties are ordered by GTIN. */
  key: string;
  order: string;
  label: (row: DirectoryRow) => string;
}

/** Column expressions of each list. */
const ORDERS: Record<DirectoryList, Order> = {
  names: { section: 'section', key: 'by_name', order: 'section, by_name, gtin', label: ({ name }) => name },
  'item-numbers': {
    section: `''`,
    key: 'by_number',
    order: 'by_number, gtin',
    label: ({ item_number }) => item_number,
  },
  gtins: { section: `''`, key: 'gtin', order: 'gtin', label: ({ gtin }) => gtin },
};

function describePages(database: DatabaseSync, language: string): void {
  database.prepare('DELETE FROM directory_pages WHERE language = ?').run(language);
  const insert = database.prepare('INSERT INTO directory_pages VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const list of DIRECTORY_LISTS) {
    const labelOf = (row?: Row) => ORDERS[list].label(readRow(String(row?.['data'])));
    for (const { section, number, rows } of cutPages(database, language, list)) {
      const [top] = rows;
      const [first, last] = [labelOf(top), labelOf(rows.at(-1))];
      const digest = hash('sha1', rows.map(({ data }) => data).join(''), 'base64url');
      const page = { list, section, number, first, last, digest } satisfies DirectoryPage;
      insert.run(language, list, section, number, String(top['key']), String(top['gtin']), JSON.stringify(page));
    }
  }
}

type Row = Record<string, unknown>;

interface CutPage extends Pick<DirectoryPage, 'section' | 'number'> {
  rows: [Row, ...Row[]];
}

/** Yields one page at a time, because there can be many rows. */
function* cutPages(database: DatabaseSync, language: string, list: DirectoryList): Generator<CutPage> {
  const { section, key, order } = ORDERS[list];
  const columns = `${section} AS section, ${key} AS key, gtin, data`;
  const rows = database
    .prepare(`SELECT ${columns} FROM directory WHERE language = ? ORDER BY ${order}`)
    .iterate(language);
  let page: CutPage | undefined;
  for (const row of rows) {
    const rowSection = String(row['section']);
    const isSame: boolean = page?.section === rowSection;
    if (page && isSame && page.rows.length < ROWS_PER_PAGE) page.rows.push(row);
    else {
      if (page) yield page;
      page = { section: rowSection, number: page && isSame ? page.number + 1 : 1, rows: [row] };
    }
  }
  if (page) yield page;
}

function describeSearched(database: DatabaseSync, language: string, changes: ReadonlyMap<number, bigint>): void {
  const known = database.prepare('SELECT digest FROM searched WHERE language = ? AND bucket = ?');
  const insert = database.prepare('INSERT OR REPLACE INTO searched VALUES (?, ?, ?)');
  const drop = database.prepare('DELETE FROM searched WHERE language = ? AND bucket = ?');
  for (const [bucket, change] of changes) {
    const digest = BigInt(String(known.get(language, bucket)?.['digest'] ?? 0)) ^ change;
    // The bucket is empty.
    if (digest === 0n) drop.run(language, bucket);
    else insert.run(language, bucket, String(digest));
  }
}

export function readDirectory(database: DatabaseSync): Directory {
  const { getAll: all } = cachedStatements(database);
  return {
    directoryPages: (language) =>
      all('SELECT data FROM directory_pages WHERE language = ? ORDER BY list, section, number', language).map(
        ({ data }) => JSON.parse(String(data)) as DirectoryPage,
      ),
    directoryRows: (language, { list, section, number }) => {
      const { section: sectionColumn, key, order } = ORDERS[list];
      const [first] = all(
        'SELECT key, gtin FROM directory_pages WHERE language = ? AND list = ? AND section = ? AND number = ?',
        language,
        list,
        section,
        number,
      );
      if (!first) return [];
      const rows = all(
        `SELECT data FROM directory WHERE language = ? AND ${sectionColumn} = ? AND (${key}, gtin) >= (?, ?)
           ORDER BY ${order} LIMIT ?`,
        language,
        section,
        String(first['key']),
        String(first['gtin']),
        ROWS_PER_PAGE,
      );
      return rows.map(({ data }) => readRow(String(data)));
    },
    *allDirectoryRows(language) {
      const rows = database.prepare('SELECT data FROM directory WHERE language = ? ORDER BY gtin').iterate(language);
      for (const { data } of rows) yield readRow(String(data));
    },
    searchDigest: (language, { from, to }) => {
      const [first, end] = [Math.floor(from / HASHES_PER_BUCKET), Math.ceil(to / HASHES_PER_BUCKET)];
      const buckets =
        'SELECT bucket, digest FROM searched WHERE language = ? AND bucket >= ? AND bucket < ? ORDER BY bucket';
      return hash('sha1', JSON.stringify(all(buckets, language, first, end)), 'base64url');
    },
  };
}

function readRow(data: string): DirectoryRow {
  return JSON.parse(data) as DirectoryRow;
}

/**
 * Tables of the product index: list data of all products in a separate file, which any build can rebuild from the
 * snapshot. Builds read single product groups from it instead of loading all products.
 */
export const PRODUCT_INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Versions of the snapshot rows that the entries were created from.
CREATE TABLE versions (
  gtin     TEXT NOT NULL,
  language TEXT NOT NULL,
  version  TEXT NOT NULL,
  PRIMARY KEY (gtin, language)
) STRICT, WITHOUT ROWID;

-- Entries by page language. A product group is a family, or '' for products without one.
CREATE TABLE entries (
  language   TEXT NOT NULL,
  gtin       TEXT NOT NULL,
  product_group TEXT NOT NULL,
  archived   INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  slug       TEXT NOT NULL,
  changed    TEXT NOT NULL,
  -- Digest of everything that the product's page can show, and of what other pages show of it.
  digest     TEXT NOT NULL,
  row_digest TEXT NOT NULL,
  -- Hash of the GTIN, which never changes. A range of hashes is a part that changes of other parts don't affect.
  place      INTEGER NOT NULL,
  -- Copied from the data, for lookups and for reading one column of all products.
  name       TEXT NOT NULL,
  record_language TEXT NOT NULL,
  item_number TEXT NOT NULL,
  family     TEXT,
  data       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entries_by_product ON entries (gtin, language);
-- Lookup by the names that texts use.
CREATE INDEX entries_by_item_number ON entries (language, item_number, gtin);
CREATE INDEX entries_by_name ON entries (language, name, gtin);
CREATE INDEX entries_by_place ON entries (language, archived, place, gtin, digest);
CREATE INDEX entries_by_group ON entries (language, archived, product_group, position, gtin, slug);

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
CREATE INDEX documents_by_address ON documents (language, current, href);

-- Declared values of a product group for a norm, as shown on the page of the norm.
CREATE TABLE norms (
  language TEXT NOT NULL,
  norm     TEXT NOT NULL,
  product_group TEXT NOT NULL,
  name     TEXT NOT NULL,
  count    INTEGER NOT NULL,
  -- Number of values, and of the rows that are shown.
  declared INTEGER NOT NULL,
  rows     INTEGER NOT NULL,
  digest   TEXT NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, norm, product_group)
) STRICT, WITHOUT ROWID;
CREATE INDEX norms_by_group ON norms (language, product_group);
-- Covering index without the large data column.
CREATE INDEX norms_by_language ON norms (language, norm, product_group, name, count, declared, rows, digest);

CREATE TABLE product_groups (
  language TEXT NOT NULL,
  product_group TEXT NOT NULL,
  count    INTEGER NOT NULL,
  data     TEXT NOT NULL,
  PRIMARY KEY (language, product_group)
) STRICT, WITHOUT ROWID;
${DIRECTORY_SCHEMA}`;

/** Increment it when the schema or the content of entries changes. */
export const PRODUCT_INDEX_VERSION = 21;
