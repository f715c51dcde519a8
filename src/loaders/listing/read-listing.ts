import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { AttributeTally } from '../../catalogue/key-values.ts';
import { relatedProducts } from '../../catalogue/related-products.ts';
import type { ImageAsset, ListedEntry } from '../entries.ts';

/** A shelf in a language, without its products. */
export interface ListedShelf {
  /** Id of the family; empty for what belongs to none. */
  shelf: string;
  count: number;
  /** Names all that pages show of it which are not its own. */
  summary: string;
  tally: AttributeTally;
  /** The first picture of a product on it. */
  image: ImageAsset | undefined;
  /** The product that stands for all. */
  firstGtin: string;
}

/** Which page there is of a product. */
export interface IndexedPage {
  id: string;
  data: { pageLanguage: string; slug: string; gtin: string };
}

/** What lists show of products, read shelf by shelf. Only the last shelves stay in memory. */
export interface Listing {
  /** How many products are offered in a language. */
  count(language: string): number;
  /** How many documents they have. */
  countDocuments(language: string): number;
  shelves(language: string): ListedShelf[];
  /** From now on, read whole shelves when one of their products is asked for: many of them will be. */
  readAhead(): void;
  /** What is offered on a shelf, in the assortment's order. The same list as long as it is in memory. */
  shelf(language: string, shelf: string): readonly ListedEntry[];
  /** The first of a shelf. */
  head(language: string, shelf: string, limit: number): readonly ListedEntry[];
  /** Those behind a product on its shelf, going round to the first; the first for what is no longer offered. */
  neighbours(entry: ListedEntry, limit: number): readonly ListedEntry[];
  /** Offered or not. */
  product(language: string, gtin: string): ListedEntry | undefined;
  /** Pages of all products, offered or not: as much of the collection `products` as tells which there are. */
  index(): IndexedPage[];
  /** Pages of what is offered on a shelf. */
  indexOfShelf(language: string, shelf: string): IndexedPage[];
  indexEntry(language: string, gtin: string): IndexedPage | undefined;
  /** Any page, another one each time. */
  sample(): IndexedPage | undefined;
  /** When what the page shows has last changed, ISO. */
  changedAt(language: string, gtin: string): string | undefined;
  /** Names all that the page of an entry of this listing can show, but for its neighbours. */
  digestOf(entry: ListedEntry): string;
  /** Names what others show of it. */
  rowDigestOf(entry: ListedEntry): string;
}

/** Some families of a large assortment, or all of a small one. */
const ENTRIES_IN_MEMORY = 20_000;

type Row = Record<string, unknown>;

export function readListing(database: DatabaseSync): Listing {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const one = (sql: string, ...values: SQLInputValue[]): Row | undefined => prepare(sql).get(...values);
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values);
  const digests = new WeakMap<ListedEntry, { digest: string; row: string }>();
  const revive = (row: Row): ListedEntry => {
    const entry = reviveEntry(String(row['data']));
    digests.set(entry, { digest: String(row['digest']), row: String(row['row_digest']) });
    return entry;
  };
  const shelves = new Map<string, readonly ListedEntry[]>();
  const products = new WeakMap<readonly ListedEntry[], Map<string, ListedEntry>>();
  const keep = (key: string, read: () => ListedEntry[]): readonly ListedEntry[] => {
    const known = shelves.get(key) ?? read();
    // The one that is used moves to the end.
    shelves.delete(key);
    shelves.set(key, known);
    let entries = [...shelves.values()].reduce((sum, list) => sum + list.length, 0);
    for (const [oldest, list] of shelves) {
      if (entries <= ENTRIES_IN_MEMORY || oldest === key) break;
      shelves.delete(oldest);
      entries -= list.length;
    }
    return known;
  };
  const findOn = (list: readonly ListedEntry[], gtin: string): ListedEntry | undefined => {
    const byGtin = products.get(list) ?? new Map(list.map((entry) => [entry.gtin, entry]));
    products.set(list, byGtin);
    return byGtin.get(gtin);
  };
  const digestsOf = (entry: ListedEntry) => {
    const known = digests.get(entry);
    if (!known) throw new Error(`${entry.gtin} is not an entry of this listing.`);
    return known;
  };
  const shelfOf = (language: string, gtin: string): { shelf: string; archived: boolean } | undefined => {
    const row = one('SELECT archived, shelf FROM entries WHERE language = ? AND gtin = ?', language, gtin);
    return row && { shelf: String(row['shelf']), archived: row['archived'] === 1 };
  };
  let isReadingAhead = false;
  /** A shelf, if it is in memory or had better be. */
  const present = (language: string, shelf: string): readonly ListedEntry[] | undefined =>
    isReadingAhead ? listing.shelf(language, shelf) : shelves.get(`${language}/${shelf}`);
  const listing: Listing = {
    readAhead: () => void (isReadingAhead = true),
    count: (language) =>
      Number(one('SELECT coalesce(sum(count), 0) AS n FROM shelves WHERE language = ?', language)?.['n']),
    countDocuments: (language) =>
      Number(one('SELECT count(DISTINCT href) AS n FROM documents WHERE language = ?', language)?.['n']),
    shelves: (language) =>
      all('SELECT data FROM shelves WHERE language = ?', language).map(
        ({ data }) => JSON.parse(String(data)) as ListedShelf,
      ),
    shelf: (language, shelf) =>
      keep(`${language}/${shelf}`, () => all(`${ON_SHELF} ${IN_ORDER}`, language, shelf).map(revive)),
    head: (language, shelf, limit) => {
      const list = present(language, shelf);
      return list ? list.slice(0, limit) : all(`${ON_SHELF} ${IN_ORDER} LIMIT ?`, language, shelf, limit).map(revive);
    },
    neighbours: (entry, limit) => {
      const { pageLanguage: language, gtin, position } = entry;
      const shelf = shelfOf(language, gtin)?.shelf ?? '';
      if (entry.archived) return listing.head(language, shelf, limit);
      const list = present(language, shelf);
      if (list) return relatedProducts(list, gtin, limit);
      const behind = all(BEHIND, language, shelf, position, gtin, limit);
      const before = behind.length < limit ? all(BEFORE, language, shelf, position, gtin, limit - behind.length) : [];
      return [...behind, ...before].map(revive);
    },
    product: (language, gtin) => {
      const place = shelfOf(language, gtin);
      if (!place) return undefined;
      const list = place.archived ? undefined : present(language, place.shelf);
      if (list) return findOn(list, gtin);
      const found = one('SELECT * FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return found && revive(found);
    },
    index: () => all(`${INDEX} ORDER BY language, archived, shelf, position, gtin`).map(toIndexed),
    indexOfShelf: (language, shelf) =>
      all(`${INDEX} WHERE language = ? AND archived = 0 AND shelf = ?`, language, shelf).map(toIndexed),
    indexEntry: (language, gtin) => {
      const row = one(`${INDEX} WHERE language = ? AND gtin = ?`, language, gtin);
      return row && toIndexed(row);
    },
    sample: () => {
      const row = one(`${INDEX} WHERE rowid >= abs(random()) % (SELECT max(rowid) FROM entries) LIMIT 1`);
      return row && toIndexed(row);
    },
    changedAt: (language, gtin) => {
      const row = one('SELECT changed FROM entries WHERE language = ? AND gtin = ?', language, gtin);
      return row && String(row['changed']);
    },
    digestOf: (entry) => digestsOf(entry).digest,
    rowDigestOf: (entry) => digestsOf(entry).row,
  };
  return listing;
}

const INDEX = 'SELECT language, gtin, slug FROM entries';
const ON_SHELF = `SELECT data, digest, row_digest FROM entries
  WHERE language = ? AND archived = 0 AND shelf = ?`;
const IN_ORDER = 'ORDER BY position, gtin';
const BEHIND = `${ON_SHELF} AND (position, gtin) > (?, ?) ${IN_ORDER} LIMIT ?`;
const BEFORE = `${ON_SHELF} AND (position, gtin) < (?, ?) ${IN_ORDER} LIMIT ?`;

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
