import { DatabaseSync } from 'node:sqlite';
import type { GroupNorm } from '#catalogue/norms/norm-groups.ts';
import {
  type ListedGroup,
  MAX_NEIGHBOURS,
  type ListedDocuments,
  type ProductDocuments,
  type IndexedPage,
  type ListPosition,
  type ProductIndex,
} from '#catalogue/read-model/product-index.ts';
import { relatedProducts } from '#catalogue/products/product-view.ts';
import { groupConsecutive } from '#files/group-consecutive.ts';
import type { DocumentAsset, EarlierDocumentAsset, ProductListEntry } from '#catalogue/entries/entries.ts';
import { cachedStatements } from '#snapshot/index.ts';
import { readDirectory, PRODUCT_INDEX_SCHEMA } from './directory.ts';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Enough for several families of a large assortment, or for a small assortment. */
const ENTRIES_IN_MEMORY = 8000;

type Row = Record<string, unknown>;

interface GroupPosition {
  productGroup: string;
  archived: boolean;
}

/** Cached product groups, and digests of their entries. */
export interface GroupCache {
  digests: WeakMap<object, { digest: string; row: string }>;
  lists: Map<string, readonly ProductListEntry[]>;
}

export function createGroupCache(): GroupCache {
  return { digests: new WeakMap(), lists: new Map() };
}

/**
 * Creates the reader of a product index.
 * @param lists Cache of whole lists by name and language. It is extended.
 * @param groups Cache of product groups. Only the most recent ones stay in memory.
 */
export function readProductIndex(
  database: DatabaseSync,
  lists = new Map<string, unknown>(),
  { digests, lists: productGroups }: GroupCache = createGroupCache(),
): ProductIndex {
  const { getOne, getAll } = cachedStatements(database);
  const cached =
    <T>(name: string, read: (language: string) => T) =>
    (language: string): T => {
      const key = `${name} ${language}`;
      // Each name has one read function, so cached values have its type.
      const value = (lists.get(key) as T | undefined) ?? read(language);
      lists.set(key, value);
      return value;
    };
  const revive = (row: Row): ProductListEntry => {
    const entry = reviveEntry(String(row['data']));
    digests.set(entry, { digest: String(row['digest']), row: String(row['row_digest']) });
    return entry;
  };
  const products = new WeakMap<readonly ProductListEntry[], Map<string, ProductListEntry>>();
  let entries = productGroups.values().reduce((sum, list) => sum + list.length, 0);
  const loadGroup = (key: string, read: () => ProductListEntry[]): readonly ProductListEntry[] => {
    const inMemory = productGroups.get(key);
    const group = inMemory ?? read();
    if (!inMemory) entries += group.length;
    // Move the most recently used group to the end.
    productGroups.delete(key);
    productGroups.set(key, group);
    for (const [oldest, list] of productGroups) {
      if (entries <= ENTRIES_IN_MEMORY || oldest === key) break;
      productGroups.delete(oldest);
      entries -= list.length;
    }
    return group;
  };
  const findOn = (list: readonly ProductListEntry[], gtin: string): ProductListEntry | undefined => {
    const byGtin = products.get(list) ?? new Map(list.map((entry) => [entry.gtin, entry]));
    products.set(list, byGtin);
    return byGtin.get(gtin);
  };
  /** Last group by language: the next product requested is usually in the same group. */
  const lastGroups = new Map<string, GroupPosition>();
  const groupOf = (language: string, gtin: string): GroupPosition | undefined => {
    const last = lastGroups.get(language);
    const list = last && !last.archived ? productGroups.get(`${language}/${last.productGroup}`) : undefined;
    if (list && findOn(list, gtin)) return last;
    const row = getOne('SELECT archived, product_group FROM entries WHERE language = ? AND gtin = ?', language, gtin);
    if (!row) return undefined;
    const position = { productGroup: String(row['product_group']), archived: row['archived'] === 1 };
    lastGroups.set(language, position);
    return position;
  };
  let readsAhead = false;
  /** Returns a product group if it is in memory or reading ahead is enabled. */
  const groupIfLoaded = (language: string, productGroup: string): readonly ProductListEntry[] | undefined =>
    readsAhead ? productIndex.productGroup(language, productGroup) : productGroups.get(`${language}/${productGroup}`);
  const directory = readDirectory(database);
  const productIndex: ProductIndex = {
    ...directory,
    directoryPages: cached('directoryPages', directory.directoryPages),
    readAhead: (isOn = true) => void (readsAhead = isOn),
    count: cached('count', (language) => Number(getOne(COUNT, language)?.['n'])),
    countDocuments: cached('countDocuments', (language) => Number(getOne(COUNT_DOCUMENTS, language)?.['n'])),
    documentsOf: (language, gtin) =>
      reviveDocuments(
        getAll('SELECT current, data FROM documents WHERE language = ? AND gtin = ? ORDER BY place', language, gtin),
      ),
    documents: (language) =>
      groupConsecutive(database.prepare(ALL_DOCUMENTS).iterate(language), ({ gtin }) => gtin).map(toDocumentsOfProduct),
    discontinued: cached('discontinued', (language) => getAll(DISCONTINUED, language).map(withDigest)),
    norms: cached('norms', (language) =>
      getAll(NORMS, language).map((row) => ({
        norm: String(row['norm']),
        productGroup: String(row['product_group']),
        name: String(row['name']),
        count: Number(row['count']),
        values: Number(row['declared']),
        rows: Number(row['rows']),
        digest: String(row['digest']),
      })),
    ),
    normInGroup: (language, norm, productGroup) => {
      const row = getOne(
        'SELECT data FROM norms WHERE language = ? AND norm = ? AND product_group = ?',
        language,
        norm,
        productGroup,
      );
      return row && (JSON.parse(String(row['data'])) as GroupNorm);
    },
    productGroups: cached('productGroups', (language) =>
      getAll('SELECT data FROM product_groups WHERE language = ?', language).map(
        ({ data }) => JSON.parse(String(data)) as ListedGroup,
      ),
    ),
    productGroup: (language, productGroup) =>
      loadGroup(`${language}/${productGroup}`, () =>
        getAll(`${IN_GROUP} ${IN_ORDER}`, language, productGroup).map(revive),
      ),
    head: (language, productGroup, limit) => {
      const list = groupIfLoaded(language, productGroup);
      return list
        ? list.slice(0, limit)
        : getAll(`${IN_GROUP} ${IN_ORDER} LIMIT ?`, language, productGroup, limit).map(revive);
    },
    neighbours: (entry) => {
      const { pageLanguage: language, gtin, position } = entry;
      const productGroup = groupOf(language, gtin)?.productGroup ?? '';
      if (entry.archived) return productIndex.head(language, productGroup, MAX_NEIGHBOURS);
      const list = groupIfLoaded(language, productGroup);
      if (list) return relatedProducts(list, gtin, MAX_NEIGHBOURS);
      const after = getAll(AFTER, language, productGroup, position, gtin, MAX_NEIGHBOURS);
      const missing = MAX_NEIGHBOURS - after.length;
      const before = missing > 0 ? getAll(BEFORE, language, productGroup, position, gtin, missing) : [];
      return [...after, ...before].map(revive);
    },
    pagesShowing: (positions) => {
      const pages = new Map<string, IndexedPage>();
      const addPages = (rows: readonly Row[]): void => {
        for (const page of rows.map(toIndexed)) pages.set(page.id, page);
      };
      const nearStart = new Map<string, ListPosition>();
      for (const listPosition of positions) {
        const { language, productGroup, position, gtin } = listPosition;
        const before = getAll(PAGES_BEFORE, language, productGroup, position, gtin, MAX_NEIGHBOURS);
        addPages(before);
        if (before.length < MAX_NEIGHBOURS) nearStart.set(`${language}/${productGroup}`, listPosition);
      }
      // The first products of a group are also neighbours of its last ones and of discontinued products.
      for (const { language, productGroup } of nearStart.values()) {
        addPages(getAll(PAGES_AT_END, language, productGroup, MAX_NEIGHBOURS));
        addPages(getAll(ARCHIVED_PAGES, language, productGroup));
      }
      return pages;
    },
    product: (language, gtin) => {
      const position = groupOf(language, gtin);
      if (!position) return undefined;
      const list = position.archived ? undefined : groupIfLoaded(language, position.productGroup);
      if (list) return findOn(list, gtin);
      const row = getOne('SELECT * FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return row && revive(row);
    },
    named: (language, names, limit) =>
      names.length === 0 ? [] : getAll(FIND_BY_NAME, language, JSON.stringify(names), limit).map(revive),
    index: () => getAll(`${INDEX} ORDER BY archived, product_group, gtin, language`).map(toIndexed),
    revision: () => String(getOne(`SELECT value FROM meta WHERE key = 'revision'`)?.['value'] ?? ''),
    columns: () =>
      Array.from(database.prepare(COLUMNS).iterate(), (row) => {
        const { id, data } = toIndexed(row);
        const columns = {
          ...data,
          name: String(row['name']),
          language: String(row['record_language']),
          item_number: String(row['item_number']),
          family: row['family'] === null ? undefined : String(row['family']),
          ...(row['archived'] === 0 && { archived: undefined }),
        };
        return { id, digest: String(row['digest']), columns };
      }),
    pagesOf: (gtin) => getAll(`${INDEX} WHERE gtin = ?`, gtin).map(toIndexed),
    samples: (count) => {
      const last = Number(getOne('SELECT max(rowid) AS last FROM entries')?.['last'] ?? 0);
      const rowids = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * last));
      const pages = rowids.flatMap((rowid) => getAll(`${INDEX} WHERE rowid >= ? LIMIT 1`, rowid)).map(toIndexed);
      return [...new Map(pages.map((page) => [page.id, page])).values()];
    },
    part: (language, { from, to }) =>
      getAll(`SELECT data, digest, row_digest ${IN_PART}`, language, from, to).map(revive),
    partDigests: (language, { from, to }) =>
      getAll(`SELECT gtin, digest ${IN_PART}`, language, from, to).map(withDigest),
    digests: function* () {
      for (const { gtin, digests: digest } of database.prepare(`${DIGESTS} GROUP BY gtin`).iterate())
        yield { gtin: String(gtin), digests: String(digest) };
    },
    digestsOfProduct: (gtin) => {
      const row = getOne(`${DIGESTS} WHERE gtin = ? GROUP BY gtin`, gtin);
      return row && String(row['digests']);
    },
    changedAt: (language, gtin) => {
      const row = getOne('SELECT changed FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return row && String(row['changed']);
    },
    digestOf: (entry) => {
      const entryDigests = digests.get(entry);
      if (!entryDigests) throw new Error(`${entry.gtin} is not an entry of this product index.`);
      return entryDigests.digest;
    },
    findRowDigest: (entry) => digests.get(entry)?.row,
  };
  return productIndex;
}

const COUNT = 'SELECT coalesce(sum(count), 0) AS n FROM product_groups WHERE language = ?';
const COUNT_DOCUMENTS = 'SELECT count(DISTINCT href) AS n FROM documents WHERE language = ? AND current = 1';
const NORMS = 'SELECT norm, product_group, name, count, declared, rows, digest FROM norms WHERE language = ?';
const IN_PART = 'FROM entries WHERE language = ? AND archived = 0 AND place >= ? AND place < ? ORDER BY gtin';
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

export type OpenProductIndex = ProductIndex & { close(): void };

/**
 * Opens the product index written by `updateProductIndex`. Throws if there is none.
 * @param groups Cache of product groups read from this index.
 */
export function openProductIndex(file: string, groups?: GroupCache): OpenProductIndex {
  const database = new DatabaseSync(file, { readOnly: true });
  return { ...readProductIndex(database, listsOf(database), groups), close: () => database.close() };
}

let listCache: { revision: unknown; lists: Map<string, unknown> } | undefined;

/** Reuses lists that were read earlier in this process if the index still has the same lists. */
function listsOf(database: DatabaseSync): Map<string, unknown> {
  const revision = database.prepare(`SELECT value FROM meta WHERE key = 'lists'`).get()?.['value'];
  if (revision === undefined) return new Map();
  if (listCache?.revision !== revision) listCache = { revision, lists: new Map() };
  return listCache.lists;
}

/** Opens an empty product index. */
export function openEmptyProductIndex(): OpenProductIndex {
  const database = new DatabaseSync(':memory:');
  database.exec(PRODUCT_INDEX_SCHEMA);
  return { ...readProductIndex(database), close: () => database.close() };
}

/**
 * Opens a writable database that can be rebuilt at any time. If it is unreadable or has another version, it is deleted
 * and recreated.
 * @param version Schema version, from 1.
 */
export function openRebuildable(file: string, { version, schema }: { version: number; schema: string }): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  const open = (): DatabaseSync => {
    const database = new DatabaseSync(file);
    try {
      // A power cut may lose the latest writes, but the database stays consistent. Lost rows are rebuilt.
      database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      const foundVersion = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      if (foundVersion !== version) {
        if (foundVersion !== 0) throw new Error(`${file} is of another version.`);
        database.exec(`BEGIN; ${schema}; PRAGMA user_version = ${version}; COMMIT`);
      }
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    return open();
  } catch (error) {
    if (!existsSync(file)) throw error;
    for (const databaseFile of [file, `${file}-wal`, `${file}-shm`]) rmSync(databaseFile, { force: true });
    return open();
  }
}
