import { createHash, hash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { siteBase } from '#catalogue/addresses/base.ts';
import type { Options } from '#config/index.ts';
import { openSnapshot, PRODUCT_MARKS, type ChangeMark, type Snapshot } from '#snapshot/index.ts';
import { NORM_HEAD, normGroups } from '#catalogue/norms/norm-groups.ts';
import { familyHighlights, type Highlight } from '#catalogue/products/key-values.ts';
import { listedEntry, type ListedEntry } from '#model/entries.ts';
import { hashPlace } from '#files/hash-parts.ts';
import { projectLanguages, projectProducts } from './project-products.ts';
import { LOADER_VERSION, type ProjectedEntry } from './replace-entries.ts';
import { languageCodes } from './site-languages.ts';
import type { LoaderSource } from './with-snapshot.ts';
import { LISTING_SCHEMA, LISTING_VERSION } from './listing-schema.ts';
import { openThrowaway } from './open-listing.ts';
import { describeShelf } from './describe-shelf.ts';
import { readListing } from './read-listing.ts';
import { keepRegister } from './register.ts';

/** What has become of products since the listing was last brought up to date. */
export interface ListingChanges {
  /** Names the listing as it was before, and as it is now. */
  from: string;
  to: string;
  /** Where the snapshot's log of changes stood. */
  mark: ChangeMark;
  /** Everything may be another: the listing was made anew. */
  everything: boolean;
  /** `<language>/<gtin>` of the pages that may show something else of their own. */
  products: ReadonlySet<string>;
  /** `<language>/<shelf>` of what shows something else to others. */
  shelves: ReadonlySet<string>;
  /** Pages that are no more, by language and slug. */
  gone: readonly { language: string; slug: string }[];
}

type Changes = Omit<ListingChanges, 'from' | 'to' | 'mark'>;
const EVERYTHING: Changes = { everything: true, products: new Set(), shelves: new Set(), gone: [] };

/**
 * Brings the listing up to date with the snapshot, all of it or nothing. It takes the snapshot's word for which products
 * have changed since it did so last; when that was another snapshot, it compares all of them.
 * @param file The listing's; made when it isn't there.
 * @param rest Is called now and then while very much is read: it may give back what is no longer needed.
 */
export function updateListing(file: string, snapshotPath: string, options: Options, rest?: () => void): ListingChanges {
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  try {
    return updateListingFrom(snapshot, file, options, rest);
  } finally {
    snapshot.close();
  }
}

/** The same with a snapshot that is open already, and stays so. */
export function updateListingFrom(
  snapshot: Snapshot,
  file: string,
  options: Options,
  rest: () => void = () => undefined,
): ListingChanges {
  const languages = languageCodes(snapshot, options);
  const source: LoaderSource = { snapshot, options, languages, warn: () => undefined };
  const database = openThrowaway(file, prepare);
  try {
    database.prepare('ATTACH ? AS snapshot').run(snapshot.path);
    database.exec('BEGIN IMMEDIATE');
    const meta = (key: string) => database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];
    const setMeta = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
    const mark = snapshot.changeMark();
    const last = meta('mark');
    const since = typeof last === 'string' ? (JSON.parse(last) as ChangeMark) : undefined;
    // The log names the owners of a file that has changed as it names products that have changed themselves.
    const isLogged = since !== undefined && snapshot.hasPassed(since);
    const known = String(meta('files') ?? UNKNOWN_FILES);
    const files = !isLogged ? describeFiles(source) : since.assets === mark.assets ? known : UNKNOWN_FILES;
    const choices = describeChoices(source);
    const isSameBasis = (isLogged || known === files) && meta('choices') === choices;
    const from = String(meta('revision') ?? '');
    const changes = isSameBasis
      ? updateProducts(database, source, isLogged ? snapshot.changedSince(since) : findChanged(database))
      : makeAnew(database, source, rest);
    const isSame = !changes.everything && changes.products.size + changes.shelves.size + changes.gone.length === 0;
    const to = isSame ? from : randomUUID();
    setMeta.run('mark', JSON.stringify(mark));
    setMeta.run('files', files);
    setMeta.run('choices', choices);
    setMeta.run('revision', to);
    // Names what the listing says of products to others than their own pages.
    if (changes.everything || changes.shelves.size > 0) setMeta.run('lists', randomUUID());
    database.exec('COMMIT');
    return { ...changes, from, to, mark };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

function prepare(database: DatabaseSync): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version === LISTING_VERSION) return;
  if (version !== 0) throw new Error('The listing is of another version.');
  database.exec(`BEGIN; ${LISTING_SCHEMA}; PRAGMA user_version = ${LISTING_VERSION}; COMMIT`);
}

/** Where the log was followed through a change of files: none of all products has been compared. */
const UNKNOWN_FILES = '';

/** The files that products name, as entries tell of them. */
function describeFiles({ snapshot }: LoaderSource): string {
  const digest = createHash('sha1');
  for (const {
    url,
    digest: bytes,
    file,
    mimeType,
    width,
    height,
    lastModified,
    reachable,
    ...asset
  } of snapshot.assets())
    digest.update(JSON.stringify([url, bytes, file, mimeType, width, height, lastModified, reachable, asset.bytes]));
  return digest.digest('base64url');
}

/** What else entries are made of, besides the rows of their products. */
function describeChoices({ snapshot, options, languages }: LoaderSource): string {
  const families = snapshot.families().map(({ id, highlights }) => [id, highlights]);
  const { mainLanguage, documents } = options;
  return JSON.stringify([LOADER_VERSION, siteBase(), languages, mainLanguage, documents, families]);
}

/** After so many products, or shelves. */
const REST_AFTER = { products: 2000, shelves: 10 };

function makeAnew(database: DatabaseSync, source: LoaderSource, rest: () => void): Changes {
  const tables = ['marks', 'entries', 'documents', 'norms', 'shelves', 'register', 'register_pages', 'searched'];
  for (const table of tables) database.exec(`DELETE FROM ${table}`);
  const put = putEntries(database, source.snapshot);
  const register = keepRegister(database);
  const index = setIndexesAside(database);
  // All pages of a product come one after the other.
  let pages: { entry: ListedEntry; searched: unknown }[] = [];
  let products = 0;
  const enter = (): void => {
    register.replace(pages[0]?.entry.gtin ?? '', pages.filter(isOffered));
    if (++products % REST_AFTER.products === 0) rest();
  };
  for (const projected of projectProducts(source)) {
    const page = { entry: put(projected), searched: projected.searched };
    if (pages.length > 0 && pages[0]?.entry.gtin !== page.entry.gtin) {
      enter();
      pages = [];
    }
    pages.push(page);
  }
  enter();
  index();
  register.settle();
  database.exec(`INSERT INTO marks ${PRODUCT_MARKS}`);
  const shelves = database
    .prepare('SELECT DISTINCT language, shelf FROM entries WHERE archived = 0 ORDER BY shelf')
    .all();
  const places = shelves.map(({ language, shelf }) => `${String(language)}/${String(shelf)}`);
  for (let from = 0; from < places.length; from += REST_AFTER.shelves) {
    describeShelves(database, source, new Set(places.slice(from, from + REST_AFTER.shelves)));
    if (from > 0) rest();
  }
  return EVERYTHING;
}

/** To sort all rows at the end is quicker than to find the place of each. @returns Makes the indexes again. */
function setIndexesAside(database: DatabaseSync): () => void {
  const indexes = database.prepare(
    `SELECT name, sql FROM sqlite_master
       WHERE type = 'index' AND tbl_name IN ('entries', 'register') AND sql IS NOT NULL`,
  );
  const found = indexes.all().map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  for (const { name } of found) database.exec(`DROP INDEX ${name}`);
  return () => {
    for (const { sql } of found) database.exec(sql);
  };
}

const NO_DOCUMENTS = JSON.stringify([]);

function updateProducts(database: DatabaseSync, source: LoaderSource, gtins: readonly string[]): Changes {
  const products = new Set<string>();
  const shelves = new Set<string>();
  const gone: { language: string; slug: string }[] = [];
  const put = putEntries(database, source.snapshot);
  const register = keepRegister(database);
  const entriesOf = database.prepare('SELECT * FROM entries WHERE gtin = ?');
  const drop = database.prepare('DELETE FROM entries WHERE gtin = ?');
  const dropDocuments = database.prepare('DELETE FROM documents WHERE language = ? AND gtin = ?');
  const documents = database.prepare('SELECT data FROM documents WHERE language = ? AND gtin = ? ORDER BY place');
  const documentsIn = (language: string, gtin: string) => JSON.stringify(documents.all(language, gtin));
  const dropMarks = database.prepare('DELETE FROM marks WHERE gtin = ?');
  const putMarks = database.prepare(`INSERT INTO marks ${PRODUCT_MARKS} WHERE gtin = ?`);
  for (const gtin of gtins) {
    const before = new Map(entriesOf.all(gtin).map((row) => [String(row['language']), row]));
    drop.run(gtin);
    const offered = new Map([...before.keys()].map((language) => [language, documentsIn(language, gtin)]));
    for (const language of before.keys()) dropDocuments.run(language, gtin);
    const pages = [...projectLanguages(source, gtin)].map((page) => ({ entry: put(page), searched: page.searched }));
    register.replace(gtin, pages.filter(isOffered));
    dropMarks.run(gtin);
    putMarks.run(gtin);
    const after = new Map(entriesOf.all(gtin).map((row) => [String(row['language']), row]));
    for (const language of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(language), after.get(language)];
      const differs = (...columns: string[]) => columns.some((column) => old?.[column] !== now?.[column]);
      if (differs('digest', 'slug', 'archived', 'shelf', 'position')) products.add(`${language}/${gtin}`);
      // What is no longer offered stands in a list of its own, by all that it shows.
      const isListed =
        differs('row_digest', 'slug', 'archived', 'shelf', 'position') ||
        (offered.get(language) ?? NO_DOCUMENTS) !== documentsIn(language, gtin);
      if (isListed || (now?.['archived'] === 1 && differs('digest')))
        for (const row of [old, now]) if (row) shelves.add(`${language}/${String(row['shelf'])}`);
      if (old && differs('slug')) gone.push({ language, slug: String(old['slug']) });
    }
  }
  register.settle();
  describeShelves(database, source, shelves);
  return { everything: false, products, shelves, gone };
}

/** GTINs of products of which a row is not as it was when its entries were made. */
function findChanged(database: DatabaseSync): string[] {
  return database
    .prepare(CHANGED_PRODUCTS)
    .all()
    .map(({ gtin }) => String(gtin));
}

const CHANGED_PRODUCTS = `
  WITH now AS (${PRODUCT_MARKS})
  SELECT now.gtin FROM now LEFT JOIN marks USING (gtin, language) WHERE marks.mark IS NOT now.mark
  UNION SELECT marks.gtin FROM marks LEFT JOIN snapshot.products AS p USING (gtin, language) WHERE p.gtin IS NULL`;

/** @returns Adds an entry, and gives it as it was read. */
function putEntries(database: DatabaseSync, snapshot: Snapshot | LoaderSource['snapshot']) {
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)');
  const families = new Set(snapshot.families().map(({ id }) => id));
  return ({ data, beyond, documents }: ProjectedEntry): ListedEntry => {
    const entry = listedEntry.parse(data);
    const { pageLanguage, gtin, family, position, slug, changed, archived, ...shown } = entry;
    const text = JSON.stringify(entry);
    const shelf = family !== undefined && families.has(family) ? family : '';
    insert.run(
      pageLanguage,
      gtin,
      shelf,
      archived ? 1 : 0,
      position,
      slug,
      changed.toISOString(),
      hash('sha1', `${text} ${JSON.stringify(beyond)}`, 'base64url'),
      hash('sha1', JSON.stringify([shown, gtin, slug, archived]), 'base64url'),
      hashPlace(gtin),
      text,
    );
    if (!documents) return entry;
    const { current, earlier } = documents;
    for (const [place, document] of [...current, ...earlier].entries()) {
      const isCurrent = place < current.length ? 1 : 0;
      insertDocument.run(pageLanguage, gtin, place, document.href, isCurrent, JSON.stringify(document));
    }
    return entry;
  };
}

function isOffered({ entry }: { entry: ListedEntry }): boolean {
  return entry.archived === undefined;
}

/**
 * Describes shelves, and those of other languages that get other highlights by it: the main language decides.
 * @param shelves Places of what is to be described; those that follow from it are added.
 */
function describeShelves(database: DatabaseSync, { snapshot, options }: LoaderSource, shelves: Set<string>): void {
  const listing = readListing(database);
  const named = new Map(snapshot.families().map(({ id, highlights = [] }) => [id, highlights]));
  const decided = new Map<string, Highlight[]>();
  const highlightsOf = (language: string, shelf: string): Highlight[] => {
    const found = decided.get(shelf);
    if (found) return found;
    const deciding = listing.shelf(options.mainLanguage, shelf);
    const highlights = familyHighlights(
      deciding.length > 0 ? deciding : listing.shelf(language, shelf),
      named.get(shelf) ?? [],
    );
    decided.set(shelf, highlights);
    return highlights;
  };
  const highlightsBefore = database.prepare(
    `SELECT language, data ->> '$.highlights' AS highlights FROM shelves WHERE shelf = ?`,
  );
  for (const shelf of new Set([...shelves].map((place) => place.slice(place.indexOf('/') + 1)))) {
    for (const { language, highlights } of highlightsBefore.all(shelf)) {
      const place = `${String(language)}/${shelf}`;
      if (!shelves.has(place) && highlights !== JSON.stringify(highlightsOf(String(language), shelf)))
        shelves.add(place);
    }
  }
  const put = database.prepare('INSERT OR REPLACE INTO shelves VALUES (?, ?, ?, ?)');
  const drop = database.prepare('DELETE FROM shelves WHERE language = ? AND shelf = ?');
  const putNorm = database.prepare('INSERT INTO norms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const dropNorms = database.prepare('DELETE FROM norms WHERE language = ? AND shelf = ?');
  for (const place of shelves) {
    const at = place.indexOf('/');
    const [language, shelf] = [place.slice(0, at), place.slice(at + 1)];
    const entries = listing.shelf(language, shelf);
    dropNorms.run(language, shelf);
    if (entries.length === 0) {
      drop.run(language, shelf);
      continue;
    }
    const description = describeShelf(shelf, entries, highlightsOf(language, shelf), listing.rowDigestOf, ({ gtin }) =>
      listing.documentsOf(language, gtin),
    );
    put.run(language, shelf, description.count, JSON.stringify(description));
    // What belongs to no family has no other page that could show the rest.
    for (const [norm, declared] of normGroups(entries, shelf === '' ? Infinity : NORM_HEAD)) {
      const { name, count, groups } = declared;
      const text = JSON.stringify(declared);
      const values = groups.reduce((sum, group) => sum + group.count, 0);
      const rows = groups.reduce((sum, group) => sum + group.rows.length, 0);
      putNorm.run(language, norm, shelf, name, count, values, rows, hash('sha1', text, 'base64url'), text);
    }
  }
}

/** `<language>/<GTIN or shelf>`. */
export function splitPlace(place: string): { language: string; rest: string } {
  const at = place.indexOf('/');
  return { language: place.slice(0, at), rest: place.slice(at + 1) };
}
