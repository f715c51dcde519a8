import { hash, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Options } from '#config/index.ts';
import { hashBucket } from '#files/hash-parts.ts';
import { openSnapshot, type ChangeCursor, type SnapshotReader } from '#snapshot/index.ts';
import { sitePath } from '../addresses/site-paths.ts';
import { directorySection } from '../directory/directory-view.ts';
import { productListEntry, type ProductListEntry } from '../entries/entries.ts';
import { listFamilyZips } from '../documents/family-zips.ts';
import { sharedValues, summariseFacets } from '../facets/group-facets.ts';
import { sortKey } from '../languages/fold-text.ts';
import { MAX_NORM_ROWS, groupByNorm } from '../norms/norm-groups.ts';
import { describeInvalidFields, type InvalidFieldValue } from './field-views.ts';
import { familyHighlights, listColumns, type Highlight } from '../products/key-values.ts';
import { isCalculable } from '../quantities/material-need.ts';
import {
  DIRECTORY_LISTS,
  INDEXES,
  openWritableProductIndex,
  ORDERS,
  readProductIndex,
  ROWS_PER_PAGE,
  TABLES,
  toDirectoryRow,
  type DirectoryList,
  type DirectoryPage,
  type ListedGroup,
  type ListedNorm,
  type ListPosition,
  type ProductIndex,
} from './product-index.ts';
import { readListedOverlays } from './read-overlays.ts';
import { projectProductPages, projectProducts, type ProjectedProduct } from './project-products.ts';
import { languageCodes, LOADER_VERSION, type LoaderSource } from './with-snapshot.ts';

/** Changes of the product index since its previous update. */
export interface ProductIndexChanges {
  /** Revisions of the product index before and after the update. */
  from: string;
  to: string;
  cursor: ChangeCursor;
  /** True if the product index was rebuilt, so anything may have changed. */
  everything: boolean;
  /** Pages whose content may have changed, as `<language>/<gtin>`. */
  products: ReadonlySet<string>;
  /** Product groups whose listed content has changed, as `<language>/<product group>`. */
  productGroups: ReadonlySet<string>;
  /** Current and previous list positions of the changed products. Offered products only. */
  places: readonly ListPosition[];
  gone: readonly { language: string; slug: string }[];
}

type Changes = Omit<ProductIndexChanges, 'from' | 'to' | 'cursor'>;
const EVERYTHING: Changes = { everything: true, products: new Set(), productGroups: new Set(), places: [], gone: [] };

/**
 * Updates the product index from the snapshot in one transaction: the products in the snapshot's change log, or all
 * after a change of the options or to a snapshot that doesn't continue the previous one.
 * @param file Path of the product index; created if missing.
 * @param further `openedSnapshot`: an open snapshot to use; the caller closes it. `root`: folder of the project with
 * overlays. `warn`: reports invalid values of `product.fields`.
 */
export function updateProductIndex(
  file: string,
  snapshotPath: string,
  options: Options,
  {
    openedSnapshot,
    root,
    warn = () => undefined,
  }: {
    openedSnapshot?: SnapshotReader | undefined;
    root?: string;
    warn?: ((message: string) => void) | undefined;
  } = {},
): ProductIndexChanges {
  const overlays = root === undefined ? new Map() : readListedOverlays(root);
  const invalid: InvalidFieldValue[] = [];
  const inputs = { options, warn, overlays, onInvalidField: (value: InvalidFieldValue) => void invalid.push(value) };
  using snapshot = openedSnapshot ? undefined : openSnapshot(snapshotPath, { readOnly: true });
  const changes = updateFrom((openedSnapshot ?? snapshot) as SnapshotReader, file, inputs);
  if (invalid.length > 0) warn(describeInvalidFields(invalid));
  return changes;
}

function updateFrom(
  snapshot: SnapshotReader,
  file: string,
  inputs: Omit<LoaderSource, 'snapshot' | 'languages'>,
): ProductIndexChanges {
  const source: LoaderSource = { ...inputs, snapshot, languages: languageCodes(snapshot, inputs.options) };
  const database = openWritableProductIndex(file);
  try {
    database.exec('BEGIN IMMEDIATE');
    const meta = (key: string) => database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'];
    const setMeta = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
    const cursor = snapshot.changeCursor();
    const last = meta('cursor');
    const since = typeof last === 'string' ? (JSON.parse(last) as ChangeCursor) : undefined;
    const choices = describeChoices(source);
    const from = String(meta('revision') ?? '');
    // The change log also contains the owners of changed files.
    const isLogged = since !== undefined && snapshot.hasPassed(since) && meta('choices') === choices;
    const changes = isLogged
      ? updateProducts(database, source, snapshot.changedSince(since))
      : rebuild(database, source);
    const isUnchanged =
      !changes.everything && changes.products.size + changes.productGroups.size + changes.gone.length === 0;
    const to = isUnchanged ? from : randomUUID();
    setMeta.run('cursor', JSON.stringify(cursor));
    setMeta.run('choices', choices);
    setMeta.run('revision', to);
    database.exec('COMMIT');
    return { ...changes, from, to, cursor };
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  }
}

/** Describes the inputs of entries other than the snapshot's products and files. */
function describeChoices({ snapshot, options, languages, overlays = new Map() }: LoaderSource): string {
  const families = snapshot.families().map(({ id, highlights }) => [id, highlights]);
  const { mainLanguage, documents, price, product } = options;
  const kinds = options.documentKinds.map(({ key }) => key);
  const overlaysDigest = hash('sha1', JSON.stringify([...overlays]), 'base64url');
  return JSON.stringify([
    LOADER_VERSION,
    sitePath('/'),
    languages,
    mainLanguage,
    documents,
    kinds,
    price,
    product.fields,
    families,
    overlaysDigest,
  ]);
}

function rebuild(database: DatabaseSync, source: LoaderSource): Changes {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'meta'`).all();
  for (const { name } of tables) database.exec(`DROP TABLE ${String(name)}`);
  database.exec(TABLES);
  const insertEntry = entryInserter(database, source);
  for (const product of projectProducts(source)) insertEntry(product);
  database.exec(INDEXES);
  for (const language of source.languages) describeDirectory(database, language);
  const groups = database.prepare(`SELECT DISTINCT language || '/' || product_group AS place FROM entries
    WHERE archived = 0 ORDER BY product_group, language`);
  describeGroups(database, source, new Set(groups.all().map(({ place }) => String(place))));
  return EVERYTHING;
}

const NO_DOCUMENTS = JSON.stringify([]);

function updateProducts(database: DatabaseSync, source: LoaderSource, gtins: readonly string[]): Changes {
  const products = new Set<string>();
  const productGroups = new Set<string>();
  const places: ListPosition[] = [];
  const gone: { language: string; slug: string }[] = [];
  const insertEntry = entryInserter(database, source);
  const directories = new Set<string>();
  const entries = database.prepare('SELECT * FROM entries WHERE gtin = ?');
  const entriesOf = (gtin: string) => new Map(entries.all(gtin).map((row) => [String(row['language']), row]));
  const drop = database.prepare('DELETE FROM entries WHERE gtin = ?');
  const dropDocuments = database.prepare('DELETE FROM documents WHERE language = ? AND gtin = ?');
  const documents = database.prepare('SELECT data FROM documents WHERE language = ? AND gtin = ? ORDER BY place');
  const documentsIn = (language: string, gtin: string) => JSON.stringify(documents.all(language, gtin));
  for (const gtin of gtins) {
    const before = entriesOf(gtin);
    drop.run(gtin);
    const previousDocuments = new Map([...before.keys()].map((language) => [language, documentsIn(language, gtin)]));
    for (const language of before.keys()) dropDocuments.run(language, gtin);
    for (const product of projectProductPages(source, gtin)) insertEntry(product);
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
      if (differs('archived', 'name', 'record_language', 'item_number', 'slug')) directories.add(language);
      if (oldRow && differs('slug')) gone.push({ language, slug: String(oldRow['slug']) });
    }
  }
  for (const language of directories) describeDirectory(database, language);
  describeGroups(database, source, productGroups);
  return { everything: false, products, productGroups, places, gone };
}

/** Places other than the product's page, search and feeds that show a field. */
const LISTED_PLACES = ['list', 'comparison', 'facets'] as const;

function entryInserter(database: DatabaseSync, { snapshot }: LoaderSource) {
  const insert = database.prepare(`INSERT INTO entries VALUES (${Array(19).fill('?').join()})`);
  const insertDocument = database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)');
  const families = new Set(snapshot.families().map(({ id }) => id));
  return ({ data, digestInputs, documents, earlier, searched }: ProjectedProduct): void => {
    const entry = productListEntry.parse(data);
    const { pageLanguage, gtin, family, position, slug, changed, archived, fieldViews, ...shown } = entry;
    const listedFields = fieldViews?.filter(({ show }) => LISTED_PLACES.some((place) => show.includes(place)));
    const { name, language, item_number } = entry;
    const text = JSON.stringify(entry);
    const directoryRow = JSON.stringify([gtin, name, language, item_number, slug]);
    insert.run(
      pageLanguage,
      gtin,
      family !== undefined && families.has(family) ? family : '',
      archived ? 1 : 0,
      position,
      slug,
      changed.toISOString(),
      hash('sha1', `${text} ${JSON.stringify(digestInputs)}`, 'base64url'),
      hash('sha1', JSON.stringify([shown, gtin, slug, archived, listedFields]), 'base64url'),
      hash('sha1', JSON.stringify([searched, family, directoryRow]), 'base64url'),
      hashBucket(gtin),
      name,
      language,
      item_number,
      family ?? null,
      directorySection(name),
      sortKey(name),
      sortKey(item_number),
      text,
    );
    for (const [place, document] of [...documents, ...earlier].entries()) {
      const isCurrent = place < documents.length ? 1 : 0;
      insertDocument.run(pageLanguage, gtin, place, document.href, isCurrent, JSON.stringify(document));
    }
  };
}

/** Sort labels of the rows of each product table. */
const LABELS = { names: 'name', 'item-numbers': 'item_number', gtins: 'gtin' } as const;

/** Divides the product tables of a language into pages. */
function describeDirectory(database: DatabaseSync, language: string): void {
  database.prepare('DELETE FROM directory_pages WHERE language = ?').run(language);
  const insert = database.prepare('INSERT INTO directory_pages VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const list of DIRECTORY_LISTS) {
    for (const { section, number, rows } of cutPages(database, language, list)) {
      const [top] = rows;
      const entries = rows.map(toDirectoryRow);
      const labels = entries.map((entry) => entry[LABELS[list]]);
      const page: DirectoryPage = {
        list,
        section,
        number,
        first: labels[0] ?? '',
        last: labels.at(-1) ?? '',
        digest: hash('sha1', JSON.stringify(entries), 'base64url'),
      };
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
  const rows = database.prepare(
    `SELECT ${section} AS section, ${key} AS key, gtin, name, record_language, item_number, slug FROM entries
      WHERE language = ? AND archived = 0 ORDER BY ${order}`,
  );
  let page: CutPage | undefined;
  for (const row of rows.iterate(language)) {
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

/**
 * Summarises product groups. If the highlights of the main language change, other languages are updated, too.
 * @param productGroups Groups to update. Affected groups are added.
 */
function describeGroups(database: DatabaseSync, { snapshot, options }: LoaderSource, productGroups: Set<string>): void {
  const productIndex = readProductIndex(database);
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
  const insertNorm = database.prepare('INSERT INTO norms VALUES (?, ?, ?, ?, ?)');
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
      const digest = hash('sha1', text, 'base64url');
      const summary: ListedNorm = { norm, productGroup, name, count, values, rows, digest };
      insertNorm.run(language, norm, productGroup, JSON.stringify(summary), text);
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
  const listed = entries.map((product) => ({ product, ...documentsOf(product.pageLanguage, product.gtin) }));
  const rows = listed.map(({ product: { gtin, name, item_number, slug, language }, ...documents }) =>
    JSON.stringify([gtin, name, item_number, slug, language, documents]),
  );
  const current = listed.flatMap(({ product, documents }) => documents.map((document) => ({ product, document })));
  const columns = listColumns(entries, highlights);
  const order = [entries.map(({ gtin }) => gtin), columns.map(({ keys }) => keys)];
  const first = entries.find(({ availability }) => availability === 'available') ?? entries[0];
  return {
    productGroup,
    count: entries.length,
    highlights,
    columns,
    version: hash('sha1', JSON.stringify(order), 'base64url').slice(0, 10),
    image: entries.find(({ imageAsset }) => imageAsset)?.imageAsset,
    firstGtin: first?.gtin ?? '',
    documentsDigest: hash('sha1', rows.join(''), 'base64url'),
    zips: productGroup === '' ? [] : listFamilyZips(current),
    isMeasured: entries.some(isCalculable),
    facets: productGroup === '' ? [] : summariseFacets(entries),
    shared: productGroup === '' ? [] : sharedValues(entries),
  };
}
