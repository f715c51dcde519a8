import { createHash, hash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { siteBase } from '#catalogue/addresses/base.ts';
import type { Options } from '#config/index.ts';
import { openSnapshot, PRODUCT_VERSIONS, type ChangeCursor, type Snapshot } from '#snapshot/index.ts';
import { NORM_HEAD, normGroups } from '#catalogue/norms/norm-groups.ts';
import { familyHighlights, type Highlight } from '#catalogue/products/key-values.ts';
import type { ListPlace, ProductIndex } from '#catalogue/port/product-index.ts';
import { listedEntry, type ListedEntry } from '#model/entries.ts';
import { collectGarbage } from '#workers/worker-thread.ts';
import { hashBucket } from '#files/hash-parts.ts';
import { runsOf } from '#files/runs-of.ts';
import { projectLanguages, projectProducts } from './project-products.ts';
import { LOADER_VERSION, type ProjectedEntry } from './replace-entries.ts';
import { languageCodes } from './site-languages.ts';
import type { LoaderSource } from './with-snapshot.ts';
import { PRODUCT_INDEX_SCHEMA, PRODUCT_INDEX_VERSION } from './schema.ts';
import { openThrowaway } from './open-product-index.ts';
import { describeGroup } from './describe-group.ts';
import { noGroups, readProductIndex, type ReadGroups } from './read-product-index.ts';
import { keepDirectory } from './directory.ts';

/** What has become of products since the product index was last brought up to date. */
export interface ProductIndexChanges {
  /** Names the product index as it was before, and as it is now. */
  from: string;
  to: string;
  /** Where the snapshot's log of changes stood. */
  cursor: ChangeCursor;
  /** Everything may be another: the product index was rebuilt. */
  everything: boolean;
  /** `<language>/<gtin>` of the pages that may show something else of their own. */
  products: ReadonlySet<string>;
  /** `<language>/<product group>` of what shows something else to others. */
  productGroups: ReadonlySet<string>;
  /** Where that is listed, and where it was: only what is offered is. */
  places: readonly ListPlace[];
  /** Pages that are no more, by language and slug. */
  gone: readonly { language: string; slug: string }[];
}

type Changes = Omit<ProductIndexChanges, 'from' | 'to' | 'cursor'>;
const EVERYTHING: Changes = { everything: true, products: new Set(), productGroups: new Set(), places: [], gone: [] };

/**
 * Brings the product index up to date with the snapshot, all of it or nothing. It takes the snapshot's word for which products
 * have changed since it did so last; when that was another snapshot, it compares all of them.
 * @param file The product index's; made when it isn't there.
 * @param openedSnapshot The snapshot, where it is open already; it stays so.
 * @param groups Is filled with what is read of product groups that have changed, as they are now.
 */
export function updateProductIndex(
  file: string,
  snapshotPath: string,
  options: Options,
  { openedSnapshot, groups = noGroups() }: { openedSnapshot?: Snapshot | undefined; groups?: ReadGroups } = {},
): ProductIndexChanges {
  const snapshot = openedSnapshot ?? openSnapshot(snapshotPath, { readOnly: true });
  try {
    return updateFrom(snapshot, file, options, groups);
  } finally {
    if (!openedSnapshot) snapshot.close();
  }
}

function updateFrom(snapshot: Snapshot, file: string, options: Options, groups: ReadGroups): ProductIndexChanges {
  const languages = languageCodes(snapshot, options);
  const source: LoaderSource = { snapshot, options, languages, warn: () => undefined };
  const database = openThrowaway(file, { version: PRODUCT_INDEX_VERSION, schema: PRODUCT_INDEX_SCHEMA });
  try {
    database.prepare('ATTACH ? AS snapshot').run(snapshot.path);
    database.exec('BEGIN IMMEDIATE');
    const meta = (key: string) => database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];
    const setMeta = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
    const cursor = snapshot.changeCursor();
    const last = meta('cursor');
    const since = typeof last === 'string' ? (JSON.parse(last) as ChangeCursor) : undefined;
    // The log names the owners of a file that has changed as it names products that have changed themselves.
    const isLogged = since !== undefined && snapshot.hasPassed(since);
    const known = String(meta('files') ?? UNKNOWN_FILES);
    const files = !isLogged ? describeFiles(source) : since.assets === cursor.assets ? known : UNKNOWN_FILES;
    const choices = describeChoices(source);
    const isSameBasis = (isLogged || known === files) && meta('choices') === choices;
    const from = String(meta('revision') ?? '');
    const changes = isSameBasis
      ? updateProducts(database, source, isLogged ? snapshot.changedSince(since) : findChanged(database), groups)
      : makeFromScratch(database, source);
    const isSame =
      !changes.everything && changes.products.size + changes.productGroups.size + changes.gone.length === 0;
    const to = isSame ? from : randomUUID();
    setMeta.run('cursor', JSON.stringify(cursor));
    setMeta.run('files', files);
    setMeta.run('choices', choices);
    setMeta.run('revision', to);
    // Names what the product index says of products to others than their own pages.
    if (changes.everything || changes.productGroups.size > 0) setMeta.run('lists', randomUUID());
    database.exec('COMMIT');
    return { ...changes, from, to, cursor };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

/** Where the log was followed through a change of files: none of all products has been compared. */
const UNKNOWN_FILES = '';

/** The files that products name, as entries tell of them. */
function describeFiles({ snapshot }: LoaderSource): string {
  const digest = createHash('sha1');
  for (const asset of snapshot.assets()) {
    const { url, digest: contents, file, mimeType, width, height, lastModified, reachable, bytes, details } = asset;
    const facts = [url, contents, file, mimeType, width, height, lastModified, reachable, bytes, details];
    digest.update(JSON.stringify(facts));
  }
  return digest.digest('base64url');
}

/** What else entries are made of, besides the rows of their products. */
function describeChoices({ snapshot, options, languages }: LoaderSource): string {
  const families = snapshot.families().map(({ id, highlights }) => [id, highlights]);
  const { mainLanguage, documents } = options;
  return JSON.stringify([LOADER_VERSION, siteBase(), languages, mainLanguage, documents, families]);
}

/** So many products, or product groups, leave enough garbage to give it back before the next ones are read. */
const COLLECT_AFTER = { products: 2000, productGroups: 10 };

function makeFromScratch(database: DatabaseSync, source: LoaderSource): Changes {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'meta'`).all();
  for (const { name } of tables) database.exec(`DELETE FROM ${String(name)}`);
  const put = putEntries(database, source);
  const directory = keepDirectory(database);
  const index = setIndexesAside(database);
  let products = 0;
  // All pages of a product come one after the other.
  for (const pages of runsOf(projectProducts(source).map(put), ({ entry }) => entry.gtin)) {
    directory.replace(pages[0].entry.gtin, pages.filter(isOffered));
    if (++products % COLLECT_AFTER.products === 0) collectGarbage();
  }
  index();
  directory.describe();
  database.exec(`INSERT INTO versions ${PRODUCT_VERSIONS}`);
  const offered = database.prepare(
    `SELECT language || '/' || product_group AS place FROM entries
      WHERE archived = 0 GROUP BY product_group, language ORDER BY product_group`,
  );
  const places = offered.all().map(({ place }) => String(place));
  for (let from = 0; from < places.length; from += COLLECT_AFTER.productGroups) {
    const some = new Set(places.slice(from, from + COLLECT_AFTER.productGroups));
    describeGroups(readProductIndex(database), database, source, some);
    if (from > 0) collectGarbage();
  }
  return EVERYTHING;
}

/** To sort all rows at the end is quicker than to find the place of each. @returns Makes the indexes again. */
function setIndexesAside(database: DatabaseSync): () => void {
  const indexes = database.prepare(
    `SELECT name, sql FROM sqlite_master
       WHERE type = 'index' AND tbl_name IN ('entries', 'directory') AND sql IS NOT NULL`,
  );
  const found = indexes.all();
  for (const { name } of found) database.exec(`DROP INDEX ${String(name)}`);
  return () => database.exec(found.map(({ sql }) => String(sql)).join(';'));
}

const NO_DOCUMENTS = JSON.stringify([]);

function updateProducts(
  database: DatabaseSync,
  source: LoaderSource,
  gtins: readonly string[],
  groups: ReadGroups,
): Changes {
  const products = new Set<string>();
  const productGroups = new Set<string>();
  const places: ListPlace[] = [];
  const gone: { language: string; slug: string }[] = [];
  const put = putEntries(database, source);
  const directory = keepDirectory(database);
  const entries = database.prepare('SELECT * FROM entries WHERE gtin = ?');
  const entriesOf = (gtin: string) => new Map(entries.all(gtin).map((row) => [String(row['language']), row]));
  const drop = database.prepare('DELETE FROM entries WHERE gtin = ?');
  const dropDocuments = database.prepare('DELETE FROM documents WHERE language = ? AND gtin = ?');
  const documents = database.prepare('SELECT data FROM documents WHERE language = ? AND gtin = ? ORDER BY place');
  const documentsIn = (language: string, gtin: string) => JSON.stringify(documents.all(language, gtin));
  const dropVersions = database.prepare('DELETE FROM versions WHERE gtin = ?');
  const putVersions = database.prepare(`INSERT INTO versions ${PRODUCT_VERSIONS} WHERE gtin = ?`);
  for (const gtin of gtins) {
    const before = entriesOf(gtin);
    drop.run(gtin);
    const offered = new Map([...before.keys()].map((language) => [language, documentsIn(language, gtin)]));
    for (const language of before.keys()) dropDocuments.run(language, gtin);
    const pages = projectLanguages(source, gtin).map(put).toArray();
    directory.replace(gtin, pages.filter(isOffered));
    dropVersions.run(gtin);
    putVersions.run(gtin);
    const after = entriesOf(gtin);
    for (const language of new Set([...before.keys(), ...after.keys()])) {
      const [old, now] = [before.get(language), after.get(language)];
      const differs = (...columns: string[]) => columns.some((column) => old?.[column] !== now?.[column]);
      const hasMoved = differs('slug', 'archived', 'product_group', 'position');
      if (hasMoved || differs('digest')) products.add(`${language}/${gtin}`);
      // What is no longer offered stands in a list of its own, by all that it shows.
      const isListed =
        hasMoved || differs('row_digest') || (offered.get(language) ?? NO_DOCUMENTS) !== documentsIn(language, gtin);
      if (isListed || (now?.['archived'] === 1 && differs('digest')))
        for (const row of hasMoved ? [old, now] : [now]) {
          if (!row) continue;
          const productGroup = String(row['product_group']);
          productGroups.add(`${language}/${productGroup}`);
          if (row['archived'] === 0) places.push({ language, productGroup, position: Number(row['position']), gtin });
        }
      if (old && differs('slug')) gone.push({ language, slug: String(old['slug']) });
    }
  }
  directory.describe();
  describeGroups(readProductIndex(database, undefined, groups), database, source, productGroups);
  return { everything: false, products, productGroups, places, gone };
}

/** GTINs of products of which a row is not as it was when its entries were made. */
function findChanged(database: DatabaseSync): string[] {
  return database
    .prepare(CHANGED_PRODUCTS)
    .all()
    .map(({ gtin }) => String(gtin));
}

const CHANGED_PRODUCTS = `
  WITH now AS (${PRODUCT_VERSIONS})
  SELECT now.gtin FROM now LEFT JOIN versions USING (gtin, language) WHERE versions.version IS NOT now.version
  UNION SELECT versions.gtin FROM versions LEFT JOIN snapshot.products AS p USING (gtin, language) WHERE p.gtin IS NULL`;

/** @returns Adds an entry, and gives it as it was read, with what the search looks into. */
function putEntries(database: DatabaseSync, { snapshot }: LoaderSource) {
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)');
  const families = new Set(snapshot.families().map(({ id }) => id));
  return ({ data, digestInputs, documents, searched }: ProjectedEntry): { entry: ListedEntry; searched: unknown } => {
    const entry = listedEntry.parse(data);
    const { pageLanguage, gtin, family, position, slug, changed, archived, ...shown } = entry;
    const text = JSON.stringify(entry);
    const productGroup = family !== undefined && families.has(family) ? family : '';
    insert.run(
      pageLanguage,
      gtin,
      productGroup,
      archived ? 1 : 0,
      position,
      slug,
      changed.toISOString(),
      hash('sha1', `${text} ${JSON.stringify(digestInputs)}`, 'base64url'),
      hash('sha1', JSON.stringify([shown, gtin, slug, archived]), 'base64url'),
      hashBucket(gtin),
      entry.name,
      entry.language,
      entry.item_number,
      family ?? null,
      text,
    );
    const { current, earlier } = documents ?? { current: [], earlier: [] };
    for (const [place, document] of [...current, ...earlier].entries()) {
      const isCurrent = place < current.length ? 1 : 0;
      insertDocument.run(pageLanguage, gtin, place, document.href, isCurrent, JSON.stringify(document));
    }
    return { entry, searched };
  };
}

function isOffered({ entry }: { entry: ListedEntry }): boolean {
  return entry.archived === undefined;
}

/**
 * Describes product groups, and those of other languages that get other highlights by it: the main language decides.
 * @param productGroups Places of what is to be described; those that follow from it are added.
 */
function describeGroups(
  productIndex: ProductIndex,
  database: DatabaseSync,
  { snapshot, options }: LoaderSource,
  productGroups: Set<string>,
): void {
  const named = new Map(snapshot.families().map(({ id, highlights = [] }) => [id, highlights]));
  const decided = new Map<string, Highlight[]>();
  const highlightsOf = (language: string, productGroup: string): Highlight[] => {
    const found = decided.get(productGroup);
    if (found) return found;
    const deciding = productIndex.productGroup(options.mainLanguage, productGroup);
    const highlights = familyHighlights(
      deciding.length > 0 ? deciding : productIndex.productGroup(language, productGroup),
      named.get(productGroup) ?? [],
    );
    decided.set(productGroup, highlights);
    return highlights;
  };
  const highlightsBefore = database.prepare(
    `SELECT language, data ->> '$.highlights' AS highlights FROM product_groups WHERE product_group = ?`,
  );
  for (const productGroup of new Set([...productGroups].map((place) => splitPlace(place).rest))) {
    for (const { language, highlights } of highlightsBefore.all(productGroup)) {
      const place = `${String(language)}/${productGroup}`;
      if (!productGroups.has(place) && highlights !== JSON.stringify(highlightsOf(String(language), productGroup)))
        productGroups.add(place);
    }
  }
  const put = database.prepare('INSERT OR REPLACE INTO product_groups VALUES (?, ?, ?, ?)');
  const drop = database.prepare('DELETE FROM product_groups WHERE language = ? AND product_group = ?');
  const putNorm = database.prepare('INSERT INTO norms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const dropNorms = database.prepare('DELETE FROM norms WHERE language = ? AND product_group = ?');
  for (const place of productGroups) {
    const { language, rest: productGroup } = splitPlace(place);
    const entries = productIndex.productGroup(language, productGroup);
    dropNorms.run(language, productGroup);
    if (entries.length === 0) {
      drop.run(language, productGroup);
      continue;
    }
    const description = describeGroup(
      productGroup,
      entries,
      highlightsOf(language, productGroup),
      productIndex.documentsOf,
    );
    put.run(language, productGroup, description.count, JSON.stringify(description));
    // What belongs to no family has no other page that could show the rest.
    for (const [norm, declared] of normGroups(entries, productGroup === '' ? Infinity : NORM_HEAD)) {
      const { name, count, groups } = declared;
      const text = JSON.stringify(declared);
      const values = groups.reduce((sum, group) => sum + group.count, 0);
      const rows = groups.reduce((sum, group) => sum + group.rows.length, 0);
      putNorm.run(language, norm, productGroup, name, count, values, rows, hash('sha1', text, 'base64url'), text);
    }
  }
}

/** `<language>/<GTIN or product group>`. */
export function splitPlace(place: string): { language: string; rest: string } {
  const at = place.indexOf('/');
  return { language: place.slice(0, at), rest: place.slice(at + 1) };
}
