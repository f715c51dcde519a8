import type { DatabaseSync } from 'node:sqlite';
import type { NormInGroup } from '#catalogue/norms/norm-groups.ts';
import type { ListedGroup } from '#catalogue/port/listed-rows.ts';
import {
  NEIGHBOURS,
  type ListedDocuments,
  type DocumentsOfProduct,
  type IndexedPage,
  type ListPlace,
  type ProductIndex,
} from '#catalogue/port/product-index.ts';
import { relatedProducts } from '#catalogue/products/product-view.ts';
import { runsOf } from '#files/runs-of.ts';
import type { DocumentAsset, EarlierDocumentAsset, ListedEntry } from '#model/entries.ts';
import { cachedStatements } from '#snapshot/index.ts';
import { readDirectory } from './directory.ts';

/** Some families of a large assortment, or all of a small one. */
const ENTRIES_IN_MEMORY = 8000;

type Row = Record<string, unknown>;

interface GroupPosition {
  productGroup: string;
  archived: boolean;
}

/** Product groups that were read last, and what names their entries. */
export interface ReadGroups {
  digests: WeakMap<object, { digest: string; row: string }>;
  lists: Map<string, readonly ListedEntry[]>;
}

export function noGroups(): ReadGroups {
  return { digests: new WeakMap(), lists: new Map() };
}

/**
 * @param lists What was read before of lists as a whole, by name and language: added to, and not read again.
 * @param groups The same of product groups; only the last ones are kept.
 */
export function readProductIndex(
  database: DatabaseSync,
  lists = new Map<string, unknown>(),
  { digests, lists: productGroups }: ReadGroups = noGroups(),
): ProductIndex {
  const { getOne: one, getAll: all } = cachedStatements(database);
  const readOnce =
    <T>(name: string, read: (language: string) => T) =>
    (language: string): T => {
      const key = `${name} ${language}`;
      // Each name has one function that reads, so what is there is of its type.
      const found = (lists.get(key) as T | undefined) ?? read(language);
      lists.set(key, found);
      return found;
    };
  const revive = (row: Row): ListedEntry => {
    const entry = reviveEntry(String(row['data']));
    digests.set(entry, { digest: String(row['digest']), row: String(row['row_digest']) });
    return entry;
  };
  const products = new WeakMap<readonly ListedEntry[], Map<string, ListedEntry>>();
  let entries = productGroups.values().reduce((sum, list) => sum + list.length, 0);
  const keep = (key: string, read: () => ListedEntry[]): readonly ListedEntry[] => {
    const kept = productGroups.get(key);
    const known = kept ?? read();
    if (!kept) entries += known.length;
    // The one that is used moves to the end.
    productGroups.delete(key);
    productGroups.set(key, known);
    for (const [oldest, list] of productGroups) {
      if (entries <= ENTRIES_IN_MEMORY || oldest === key) break;
      productGroups.delete(oldest);
      entries -= list.length;
    }
    return known;
  };
  const findOn = (list: readonly ListedEntry[], gtin: string): ListedEntry | undefined => {
    const byGtin = products.get(list) ?? new Map(list.map((entry) => [entry.gtin, entry]));
    products.set(list, byGtin);
    return byGtin.get(gtin);
  };
  /** By language: who asks for a product asks for one beside it next. */
  const lastGroups = new Map<string, GroupPosition>();
  const groupOf = (language: string, gtin: string): GroupPosition | undefined => {
    const last = lastGroups.get(language);
    const list = last && !last.archived ? productGroups.get(`${language}/${last.productGroup}`) : undefined;
    if (list && findOn(list, gtin)) return last;
    const row = one('SELECT archived, product_group FROM entries WHERE language = ? AND gtin = ?', language, gtin);
    if (!row) return undefined;
    const place = { productGroup: String(row['product_group']), archived: row['archived'] === 1 };
    lastGroups.set(language, place);
    return place;
  };
  let isReadingAhead = false;
  /** A product group, if it is in memory or had better be. */
  const present = (language: string, productGroup: string): readonly ListedEntry[] | undefined =>
    isReadingAhead
      ? productIndex.productGroup(language, productGroup)
      : productGroups.get(`${language}/${productGroup}`);
  const directory = readDirectory(database);
  const productIndex: ProductIndex = {
    ...directory,
    directoryPages: readOnce('directoryPages', directory.directoryPages),
    readAhead: (isOn = true) => void (isReadingAhead = isOn),
    count: readOnce('count', (language) => Number(one(COUNT, language)?.['n'])),
    countDocuments: readOnce('countDocuments', (language) => Number(one(COUNT_DOCUMENTS, language)?.['n'])),
    documentsOf: (language, gtin) =>
      reviveDocuments(
        all('SELECT current, data FROM documents WHERE language = ? AND gtin = ? ORDER BY place', language, gtin),
      ),
    documents: (language) =>
      runsOf(database.prepare(ALL_DOCUMENTS).iterate(language), ({ gtin }) => gtin).map(toDocumentsOfProduct),
    discontinued: readOnce('discontinued', (language) => all(DISCONTINUED, language).map(withDigest)),
    norms: readOnce('norms', (language) =>
      all(NORMS, language).map((row) => ({
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
      const row = one(
        'SELECT data FROM norms WHERE language = ? AND norm = ? AND product_group = ?',
        language,
        norm,
        productGroup,
      );
      return row && (JSON.parse(String(row['data'])) as NormInGroup);
    },
    productGroups: readOnce('productGroups', (language) =>
      all('SELECT data FROM product_groups WHERE language = ?', language).map(
        ({ data }) => JSON.parse(String(data)) as ListedGroup,
      ),
    ),
    productGroup: (language, productGroup) =>
      keep(`${language}/${productGroup}`, () => all(`${IN_GROUP} ${IN_ORDER}`, language, productGroup).map(revive)),
    head: (language, productGroup, limit) => {
      const list = present(language, productGroup);
      return list
        ? list.slice(0, limit)
        : all(`${IN_GROUP} ${IN_ORDER} LIMIT ?`, language, productGroup, limit).map(revive);
    },
    neighbours: (entry) => {
      const { pageLanguage: language, gtin, position } = entry;
      const productGroup = groupOf(language, gtin)?.productGroup ?? '';
      if (entry.archived) return productIndex.head(language, productGroup, NEIGHBOURS);
      const list = present(language, productGroup);
      if (list) return relatedProducts(list, gtin, NEIGHBOURS);
      const behind = all(BEHIND, language, productGroup, position, gtin, NEIGHBOURS);
      const lacking = NEIGHBOURS - behind.length;
      const before = lacking > 0 ? all(BEFORE, language, productGroup, position, gtin, lacking) : [];
      return [...behind, ...before].map(revive);
    },
    pagesShowing: (places) => {
      const found = new Map<string, IndexedPage>();
      const add = (rows: readonly Row[]): void => {
        for (const page of rows.map(toIndexed)) found.set(page.id, page);
      };
      const amongFirst = new Map<string, ListPlace>();
      for (const place of places) {
        const { language, productGroup, position, gtin } = place;
        const before = all(PAGES_BEFORE, language, productGroup, position, gtin, NEIGHBOURS);
        add(before);
        if (before.length < NEIGHBOURS) amongFirst.set(`${language}/${productGroup}`, place);
      }
      // The first of a product group are neighbours of its last ones too, and of what is no longer offered.
      for (const { language, productGroup } of amongFirst.values()) {
        add(all(PAGES_AT_END, language, productGroup, NEIGHBOURS));
        add(all(ARCHIVED_PAGES, language, productGroup));
      }
      return found;
    },
    product: (language, gtin) => {
      const place = groupOf(language, gtin);
      if (!place) return undefined;
      const list = place.archived ? undefined : present(language, place.productGroup);
      if (list) return findOn(list, gtin);
      const found = one('SELECT * FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return found && revive(found);
    },
    named: (language, names, limit) =>
      names.length === 0 ? [] : all(NAMED, language, JSON.stringify(names), limit).map(revive),
    index: () => all(`${INDEX} ORDER BY archived, product_group, gtin, language`).map(toIndexed),
    revision: () => String(one(`SELECT value FROM meta WHERE key = 'revision'`)?.['value'] ?? ''),
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
    pagesOf: (gtin) => all(`${INDEX} WHERE gtin = ?`, gtin).map(toIndexed),
    samples: (count) => {
      const last = Number(one('SELECT max(rowid) AS last FROM entries')?.['last'] ?? 0);
      const drawn = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * last));
      const pages = drawn.flatMap((rowid) => all(`${INDEX} WHERE rowid >= ? LIMIT 1`, rowid)).map(toIndexed);
      return [...new Map(pages.map((page) => [page.id, page])).values()];
    },
    part: (language, { from, to }) => all(`SELECT data, digest, row_digest ${IN_PART}`, language, from, to).map(revive),
    partDigests: (language, { from, to }) => all(`SELECT gtin, digest ${IN_PART}`, language, from, to).map(withDigest),
    digests: function* () {
      for (const { gtin, digests: digest } of database.prepare(`${DIGESTS} GROUP BY gtin`).iterate())
        yield { gtin: String(gtin), digests: String(digest) };
    },
    digestsOfProduct: (gtin) => {
      const row = one(`${DIGESTS} WHERE gtin = ? GROUP BY gtin`, gtin);
      return row && String(row['digests']);
    },
    changedAt: (language, gtin) => {
      const row = one('SELECT changed FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return row && String(row['changed']);
    },
    digestOf: (entry) => {
      const known = digests.get(entry);
      if (!known) throw new Error(`${entry.gtin} is not an entry of this product index.`);
      return known.digest;
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
const BEHIND = `${IN_GROUP} AND (position, gtin) > (?, ?) ${IN_ORDER} LIMIT ?`;
const BEFORE = `${IN_GROUP} AND (position, gtin) < (?, ?) ${IN_ORDER} LIMIT ?`;
const PAGES_IN_GROUP = `${INDEX} WHERE language = ? AND archived = 0 AND product_group = ?`;
const FROM_THE_END = 'ORDER BY position DESC, gtin DESC LIMIT ?';
const PAGES_BEFORE = `${PAGES_IN_GROUP} AND (position, gtin) < (?, ?) ${FROM_THE_END}`;
const PAGES_AT_END = `${PAGES_IN_GROUP} ${FROM_THE_END}`;
const ARCHIVED_PAGES = `${INDEX} WHERE language = ? AND archived = 1 AND product_group = ?`;
// The plus keeps SQLite from an index by which it would read the names of all that is offered.
const namedBy = (column: 'item_number' | 'name'): string => `
SELECT gtin, data, digest, row_digest FROM json_each(?2) AS names CROSS JOIN entries WHERE entries.rowid IN (
  SELECT rowid FROM entries
   WHERE language = ?1 AND ${column} = names.value AND +archived = 0 ORDER BY gtin LIMIT ?3)`;
export const NAMED = `${namedBy('item_number')} UNION ${namedBy('name')} ORDER BY gtin`;

const ALL_DOCUMENTS = `
SELECT e.gtin, e.slug, e.name, e.item_number,
       CASE e.archived WHEN 1 THEN e.data ->> '$.archived.since' END AS archived_since, d.current, d.data
  FROM entries e JOIN documents d ON d.language = e.language AND d.gtin = e.gtin
 WHERE e.language = ? ORDER BY e.archived, e.position, e.gtin, d.place`;
const DISCONTINUED = `
SELECT gtin, digest FROM entries AS e WHERE language = ? AND archived = 1
   AND EXISTS (SELECT 1 FROM documents AS d WHERE d.language = e.language AND d.gtin = e.gtin)
 ORDER BY position, gtin`;

/** Dates have no form of their own in JSON. */
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

function toDocumentsOfProduct(rows: readonly [Row, ...Row[]]): DocumentsOfProduct {
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

/** What has no form of its own in JSON are its dates. */
function reviveEntry(text: string): ListedEntry {
  const entry = JSON.parse(text) as ListedEntry;
  entry.changed = new Date(entry.changed);
  if (entry.archived) entry.archived.since = new Date(entry.archived.since);
  return entry;
}
