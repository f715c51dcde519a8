import { createHash, hash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { basePath } from '#catalogue/addresses/site-paths.ts';
import type { Options } from '#config/index.ts';
import { openSnapshot, PRODUCT_VERSIONS, type ChangeCursor, type Snapshot } from '#snapshot/index.ts';
import { MAX_NORM_ROWS, groupByNorm } from '#catalogue/norms/norm-groups.ts';
import { familyHighlights, type Highlight } from '#catalogue/products/key-values.ts';
import type { ListPosition, ProductIndex, ListedGroup } from '#catalogue/read-model/product-index.ts';
import { productListEntry, type ProductListEntry } from '#catalogue/entries/entries.ts';
import { collectGarbage } from '#files/worker-thread.ts';
import { hashBucket } from '#files/hash-parts.ts';
import { groupConsecutive } from '#files/group-consecutive.ts';
import { projectProductPages, projectProducts, LOADER_VERSION, type ProjectedEntry } from './project-products.ts';
import { languageCodes, type LoaderSource } from './with-snapshot.ts';
import { PRODUCT_INDEX_SCHEMA, PRODUCT_INDEX_VERSION, createDirectoryWriter } from './directory.ts';
import { openRebuildable, createGroupCache, readProductIndex, type GroupCache } from './read-product-index.ts';
import { summariseFacets } from '#catalogue/facets/group-facets.ts';
import { isCalculable } from '#catalogue/quantities/material-need.ts';

/** Changes of the product index since its previous update. */
export interface ProductIndexChanges {
  /** Revisions of the product index before and after the update. */
  from: string;
  to: string;
  /** Change cursor of the snapshot. */
  cursor: ChangeCursor;
  /** True if the product index was rebuilt, so anything may have changed. */
  everything: boolean;
  /** Pages whose content may have changed, as `<language>/<gtin>`. */
  products: ReadonlySet<string>;
  /** Product groups whose listed content has changed, as `<language>/<product group>`. */
  productGroups: ReadonlySet<string>;
  /** Current and previous list positions of the changed products. Offered products only. */
  places: readonly ListPosition[];
  /** Removed pages, by language and slug. */
  gone: readonly { language: string; slug: string }[];
}

type Changes = Omit<ProductIndexChanges, 'from' | 'to' | 'cursor'>;
const EVERYTHING: Changes = { everything: true, products: new Set(), productGroups: new Set(), places: [], gone: [] };

/**
 * Updates the product index from the snapshot in one transaction. Uses the snapshot's change log; after a change of
 * snapshot, compares all products.
 * @param file Path of the product index; created if missing.
 * @param openedSnapshot An open snapshot to use; the caller closes it.
 * @param groups Filled with the changed product groups that are read.
 */
export function updateProductIndex(
  file: string,
  snapshotPath: string,
  options: Options,
  { openedSnapshot, groups = createGroupCache() }: { openedSnapshot?: Snapshot | undefined; groups?: GroupCache } = {},
): ProductIndexChanges {
  const snapshot = openedSnapshot ?? openSnapshot(snapshotPath, { readOnly: true });
  try {
    return updateFrom(snapshot, file, options, groups);
  } finally {
    if (!openedSnapshot) snapshot.close();
  }
}

function updateFrom(snapshot: Snapshot, file: string, options: Options, groups: GroupCache): ProductIndexChanges {
  const languages = languageCodes(snapshot, options);
  const source: LoaderSource = { snapshot, options, languages, warn: () => undefined };
  const database = openRebuildable(file, { version: PRODUCT_INDEX_VERSION, schema: PRODUCT_INDEX_SCHEMA });
  try {
    database.prepare('ATTACH ? AS snapshot').run(snapshot.path);
    database.exec('BEGIN IMMEDIATE');
    const meta = (key: string) => database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];
    const setMeta = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
    const cursor = snapshot.changeCursor();
    const last = meta('cursor');
    const since = typeof last === 'string' ? (JSON.parse(last) as ChangeCursor) : undefined;
    // The change log also contains the owners of changed files.
    const isLogged = since !== undefined && snapshot.hasPassed(since);
    const previousFiles = String(meta('files') ?? UNKNOWN_FILES);
    const files = !isLogged ? describeFiles(source) : since.assets === cursor.assets ? previousFiles : UNKNOWN_FILES;
    const choices = describeChoices(source);
    const hasSameBasis = (isLogged || previousFiles === files) && meta('choices') === choices;
    const from = String(meta('revision') ?? '');
    const changes = hasSameBasis
      ? updateProducts(database, source, isLogged ? snapshot.changedSince(since) : findChanged(database), groups)
      : rebuild(database, source);
    const isUnchanged =
      !changes.everything && changes.products.size + changes.productGroups.size + changes.gone.length === 0;
    const to = isUnchanged ? from : randomUUID();
    setMeta.run('cursor', JSON.stringify(cursor));
    setMeta.run('files', files);
    setMeta.run('choices', choices);
    setMeta.run('revision', to);
    // Revision of the data that lists and other pages show.
    if (changes.everything || changes.productGroups.size > 0) setMeta.run('lists', randomUUID());
    database.exec('COMMIT');
    return { ...changes, from, to, cursor };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

/** Digest after a change of files that the log covered, so that no full comparison was made. */
const UNKNOWN_FILES = '';

/** Returns a digest of the files that products refer to. */
function describeFiles({ snapshot }: LoaderSource): string {
  const digest = createHash('sha1');
  for (const asset of snapshot.assets()) {
    const { url, digest: contents, file, mimeType, width, height, lastModified, reachable, bytes, details } = asset;
    const properties = [url, contents, file, mimeType, width, height, lastModified, reachable, bytes, details];
    digest.update(JSON.stringify(properties));
  }
  return digest.digest('base64url');
}

/** Describes the inputs of entries other than product rows. */
function describeChoices({ snapshot, options, languages }: LoaderSource): string {
  const families = snapshot.families().map(({ id, highlights }) => [id, highlights]);
  const { mainLanguage, documents } = options;
  return JSON.stringify([LOADER_VERSION, basePath(), languages, mainLanguage, documents, families]);
}

/** Number of products or groups after which garbage is collected. */
const COLLECT_AFTER = { products: 2000, productGroups: 10 };

function rebuild(database: DatabaseSync, source: LoaderSource): Changes {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'meta'`).all();
  for (const { name } of tables) database.exec(`DELETE FROM ${String(name)}`);
  const insertEntry = entryInserter(database, source);
  const directory = createDirectoryWriter(database);
  const createIndexes = dropIndexes(database);
  let products = 0;
  // The pages of a product are consecutive.
  for (const pages of groupConsecutive(projectProducts(source).map(insertEntry), ({ entry }) => entry.gtin)) {
    directory.replace(pages[0].entry.gtin, pages.filter(isOffered));
    if (++products % COLLECT_AFTER.products === 0) collectGarbage();
  }
  createIndexes();
  directory.describe();
  database.exec(`INSERT INTO versions ${PRODUCT_VERSIONS}`);
  const offeredGroups = database.prepare(
    `SELECT language || '/' || product_group AS place FROM entries
      WHERE archived = 0 GROUP BY product_group, language ORDER BY product_group`,
  );
  const places = offeredGroups.all().map(({ place }) => String(place));
  for (let from = 0; from < places.length; from += COLLECT_AFTER.productGroups) {
    const batch = new Set(places.slice(from, from + COLLECT_AFTER.productGroups));
    describeGroups(readProductIndex(database), database, source, batch);
    if (from > 0) collectGarbage();
  }
  return EVERYTHING;
}

/**
 * Drops the indexes, because sorting all rows at the end is faster than inserting them in order.
 * @returns Recreates the indexes.
 */
function dropIndexes(database: DatabaseSync): () => void {
  const indexes = database.prepare(
    `SELECT name, sql FROM sqlite_master
       WHERE type = 'index' AND tbl_name IN ('entries', 'directory') AND sql IS NOT NULL`,
  );
  const dropped = indexes.all();
  for (const { name } of dropped) database.exec(`DROP INDEX ${String(name)}`);
  return () => database.exec(dropped.map(({ sql }) => String(sql)).join(';'));
}

const NO_DOCUMENTS = JSON.stringify([]);

function updateProducts(
  database: DatabaseSync,
  source: LoaderSource,
  gtins: readonly string[],
  groups: GroupCache,
): Changes {
  const products = new Set<string>();
  const productGroups = new Set<string>();
  const places: ListPosition[] = [];
  const gone: { language: string; slug: string }[] = [];
  const insertEntry = entryInserter(database, source);
  const directory = createDirectoryWriter(database);
  const entries = database.prepare('SELECT * FROM entries WHERE gtin = ?');
  const entriesOf = (gtin: string) => new Map(entries.all(gtin).map((row) => [String(row['language']), row]));
  const drop = database.prepare('DELETE FROM entries WHERE gtin = ?');
  const dropDocuments = database.prepare('DELETE FROM documents WHERE language = ? AND gtin = ?');
  const documents = database.prepare('SELECT data FROM documents WHERE language = ? AND gtin = ? ORDER BY place');
  const documentsIn = (language: string, gtin: string) => JSON.stringify(documents.all(language, gtin));
  const dropVersions = database.prepare('DELETE FROM versions WHERE gtin = ?');
  const insertVersions = database.prepare(`INSERT INTO versions ${PRODUCT_VERSIONS} WHERE gtin = ?`);
  for (const gtin of gtins) {
    const before = entriesOf(gtin);
    drop.run(gtin);
    const previousDocuments = new Map([...before.keys()].map((language) => [language, documentsIn(language, gtin)]));
    for (const language of before.keys()) dropDocuments.run(language, gtin);
    const pages = projectProductPages(source, gtin).map(insertEntry).toArray();
    directory.replace(gtin, pages.filter(isOffered));
    dropVersions.run(gtin);
    insertVersions.run(gtin);
    const after = entriesOf(gtin);
    for (const language of new Set([...before.keys(), ...after.keys()])) {
      const [oldRow, newRow] = [before.get(language), after.get(language)];
      const differs = (...columns: string[]) => columns.some((column) => oldRow?.[column] !== newRow?.[column]);
      const hasMoved = differs('slug', 'archived', 'product_group', 'position');
      if (hasMoved || differs('digest')) products.add(`${language}/${gtin}`);
      // Discontinued products have a separate list, which shows all their data.
      const isListed =
        hasMoved ||
        differs('row_digest') ||
        (previousDocuments.get(language) ?? NO_DOCUMENTS) !== documentsIn(language, gtin);
      if (isListed || (newRow?.['archived'] === 1 && differs('digest')))
        for (const row of hasMoved ? [oldRow, newRow] : [newRow]) {
          if (!row) continue;
          const productGroup = String(row['product_group']);
          productGroups.add(`${language}/${productGroup}`);
          if (row['archived'] === 0) places.push({ language, productGroup, position: Number(row['position']), gtin });
        }
      if (oldRow && differs('slug')) gone.push({ language, slug: String(oldRow['slug']) });
    }
  }
  directory.describe();
  describeGroups(readProductIndex(database, undefined, groups), database, source, productGroups);
  return { everything: false, products, productGroups, places, gone };
}

/** Lists the GTINs of products whose rows have changed since their entries were created. */
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

/** Creates the function that inserts an entry. It returns the validated entry and its searchable texts. */
function entryInserter(database: DatabaseSync, { snapshot }: LoaderSource) {
  const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)');
  const families = new Set(snapshot.families().map(({ id }) => id));
  return ({
    data,
    digestInputs,
    documents,
    searched,
  }: ProjectedEntry): { entry: ProductListEntry; searched: unknown } => {
    const entry = productListEntry.parse(data);
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

function isOffered({ entry }: { entry: ProductListEntry }): boolean {
  return entry.archived === undefined;
}

/**
 * Summarises product groups. If the highlights of the main language change, other languages are updated, too.
 * @param productGroups Groups to update. Affected groups are added.
 */
function describeGroups(
  productIndex: ProductIndex,
  database: DatabaseSync,
  { snapshot, options }: LoaderSource,
  productGroups: Set<string>,
): void {
  const configuredHighlights = new Map(snapshot.families().map(({ id, highlights = [] }) => [id, highlights]));
  const highlightsByGroup = new Map<string, Highlight[]>();
  const highlightsOf = (language: string, productGroup: string): Highlight[] => {
    const known = highlightsByGroup.get(productGroup);
    if (known) return known;
    const mainEntries = productIndex.productGroup(options.mainLanguage, productGroup);
    const highlights = familyHighlights(
      mainEntries.length > 0 ? mainEntries : productIndex.productGroup(language, productGroup),
      configuredHighlights.get(productGroup) ?? [],
    );
    highlightsByGroup.set(productGroup, highlights);
    return highlights;
  };
  const highlightsBefore = database.prepare(
    `SELECT language, data ->> '$.highlights' AS highlights FROM product_groups WHERE product_group = ?`,
  );
  for (const productGroup of new Set([...productGroups].map((place) => splitGroupKey(place).rest))) {
    for (const { language, highlights } of highlightsBefore.all(productGroup)) {
      const place = `${String(language)}/${productGroup}`;
      if (!productGroups.has(place) && highlights !== JSON.stringify(highlightsOf(String(language), productGroup)))
        productGroups.add(place);
    }
  }
  const upsertGroup = database.prepare('INSERT OR REPLACE INTO product_groups VALUES (?, ?, ?, ?)');
  const drop = database.prepare('DELETE FROM product_groups WHERE language = ? AND product_group = ?');
  const insertNorm = database.prepare('INSERT INTO norms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const dropNorms = database.prepare('DELETE FROM norms WHERE language = ? AND product_group = ?');
  for (const place of productGroups) {
    const { language, rest: productGroup } = splitGroupKey(place);
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
    upsertGroup.run(language, productGroup, description.count, JSON.stringify(description));
    // Products without a family have no other page that could show the rest.
    for (const [norm, declared] of groupByNorm(entries, productGroup === '' ? Infinity : MAX_NORM_ROWS)) {
      const { name, count, groups } = declared;
      const text = JSON.stringify(declared);
      const values = groups.reduce((sum, group) => sum + group.count, 0);
      const rows = groups.reduce((sum, group) => sum + group.rows.length, 0);
      insertNorm.run(language, norm, productGroup, name, count, values, rows, hash('sha1', text, 'base64url'), text);
    }
  }
}

/** Splits `<language>/<GTIN or product group>`. */
export function splitGroupKey(place: string): { language: string; rest: string } {
  const at = place.indexOf('/');
  return { language: place.slice(0, at), rest: place.slice(at + 1) };
}

/**
 * Summarises a product group, so that pages needn't read its products.
 * @param entries All entries of the group, at least one.
 * @param highlights Properties that lists show, the same in every language.
 */
function describeGroup(
  productGroup: string,
  entries: readonly ProductListEntry[],
  highlights: readonly Highlight[],
  documentsOf: ProductIndex['documentsOf'],
): ListedGroup {
  const documents = createHash('sha1');
  for (const { gtin, name, item_number, slug, language, pageLanguage } of entries)
    documents.update(JSON.stringify([gtin, name, item_number, slug, language, documentsOf(pageLanguage, gtin)]));
  const first = entries.find(({ availability }) => availability === 'available') ?? entries[0];
  return {
    productGroup,
    count: entries.length,
    highlights,
    image: entries.find(({ imageAsset }) => imageAsset)?.imageAsset,
    firstGtin: first?.gtin ?? '',
    documentsDigest: documents.digest('base64url'),
    isMeasured: entries.some(isCalculable),
    facets: productGroup === '' ? [] : summariseFacets(entries),
  };
}
