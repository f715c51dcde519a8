import { outputPath, sitePath } from '#catalogue/addresses/site-paths.ts';
import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { TRACKED_QUERIES_SCHEMA, openTrackedQueries, type Trace } from './recorded-reads.ts';
import { cachedStatements } from '#snapshot/index.ts';
import { openRebuildable } from '#files/open-rebuildable.ts';
import { GENERATED_SCHEMA, createTextTable, createGeneratedManifest, textOf } from '#generated/generated-manifest.ts';
import { parseReferences } from '#generated/scan/read-head.ts';
import { hasFileOfSize } from '#files/built-files.ts';
import { hashBucket } from '#files/hash-parts.ts';

/** Record of a written page, which lets the next build skip it. */
export interface ManifestPage {
  /** Reads of the page; undefined if unknown, so that it is rendered every time. */
  trace: Trace | undefined;
  bytes: number;
  /** Its sitemap entry as XML; empty if it has none. */
  sitemap: string;
  /** Its references in the format of `findReferences`, as JSON. */
  references: string;
  /** File of its route; undefined if Astro's own loop has rendered the page. */
  route?: string | undefined;
}

const buildState = z.object({
  /** Fingerprint of the project that rendered the pages. */
  fingerprint: z.string(),
  distFolder: z.string(),
  /** False during a build, and so after one that was killed. */
  complete: z.boolean(),
  /** Digest of the product index that the pages were rendered from. */
  productIndex: z.string().optional(),
  collections: z.record(z.string(), z.string()).optional(),
  /** Digests of the values of product queries, by `<language>/<gtin>`. */
  productValues: z.record(z.string(), z.string()).optional(),
  /**
   * References of files that are not pages: `public/` and Vite's files. Undefined until a build of this project has
   * finished.
   */
  others: z.array(z.string()).optional(),
  /** Build counter; selects the part of a large site to check. */
  turn: z.int().optional(),
});

export type BuildState = z.output<typeof buildState>;

/** Pages and generated files of a build, by file relative to the site's folder. */
export type BuildManifest = ReturnType<typeof useManifest>;

const MANIFEST_VERSION = 12;
/** No other pages have such paths: these segments are reserved. */
const OF_PRODUCT = /^[^/]+\/(p|products\/[^/]+)\//;

function isOfProduct(file: string): boolean {
  const folder = outputPath(sitePath('/'));
  return file.startsWith(folder) && OF_PRODUCT.test(file.slice(folder.length));
}

const SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE pages (
  file       TEXT PRIMARY KEY,
  -- The page's trace: its key, what it has read of products, and among the texts what it has read besides.
  key        TEXT,
  own_reads  TEXT,
  reads      INTEGER,
  bytes      INTEGER NOT NULL,
  refers     INTEGER NOT NULL,
  -- The hash bucket that decides its sitemap, and its entry there.
  bucket     INTEGER NOT NULL,
  sitemap    TEXT NOT NULL,
  is_html    INTEGER NOT NULL,
  -- Whether it is the page of a product or of a family: most are.
  of_product INTEGER NOT NULL,
  -- The route that renders it, among the texts.
  route      INTEGER
) STRICT;
CREATE INDEX pages_by_bucket ON pages (bucket) WHERE sitemap <> '';
CREATE INDEX pages_by_texts ON pages (refers);
CREATE INDEX pages_of_html ON pages (is_html) WHERE is_html = 1;
CREATE INDEX pages_of_others ON pages (route, file) WHERE of_product = 0;
`;

const IN_PART = 'WHERE rowid % ? = ?';
const SIZES = `SELECT file, bytes FROM pages ${IN_PART} UNION ALL SELECT file, bytes FROM generated_files ${IN_PART}`;
const OTHERS_OF = `SELECT file FROM pages WHERE of_product = 0
  AND route IN (SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(?)))`;
/** Range of a folder: from its slash to the next character. */
const BELOW = 'file >= ? AND file < ?';
/** Read as bytes: converting to text and back took more than a quarter of the time. */
const SITEMAP_ENTRIES = `SELECT CAST(group_concat(sitemap, '' ORDER BY file) AS BLOB) AS entries
  FROM pages WHERE sitemap <> '' AND bucket >= ? AND bucket < ?`;
const IS_USED = 'id IN (SELECT refers FROM pages) OR id IN (SELECT refers FROM generated_files)';

/** Makes the next build start from scratch. */
export function removeManifest(file: string): void {
  for (const filePath of [file, `${file}-wal`, `${file}-shm`]) rmSync(filePath, { force: true });
}

/** Opens or creates a manifest. An unreadable one is discarded, and everything is rendered. */
export function openManifest(file: string): BuildManifest {
  const schema = `${GENERATED_SCHEMA}; ${SCHEMA}; ${TRACKED_QUERIES_SCHEMA}`;
  return useManifest(openRebuildable(file, { version: MANIFEST_VERSION, schema }));
}

function useManifest(database: DatabaseSync) {
  const allPages = `SELECT file, key, own_reads, shared.text AS reads, bytes, sitemap, texts.text, routes.text AS route
    FROM pages JOIN texts ON texts.id = pages.refers LEFT JOIN texts AS routes ON routes.id = pages.route
    LEFT JOIN texts AS shared ON shared.id = pages.reads`;
  const onePage = `${allPages} WHERE file = ?`;
  const { getOne: one, getAll: all } = cachedStatements(database);
  const insertPage = database.prepare('INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const deletePage = database.prepare('DELETE FROM pages WHERE file = ?');
  const clearKey = database.prepare('UPDATE pages SET key = NULL WHERE file = ?');
  const count = (condition: string): number => Number(one(`SELECT count(*) AS n FROM pages WHERE ${condition}`)?.['n']);
  const idOf = createTextTable(database);
  const queries = openTrackedQueries(database);
  const state = (): BuildState | undefined => {
    const value = one(`SELECT value FROM meta WHERE key = 'state'`)?.['value'];
    return value === undefined ? undefined : buildState.parse(JSON.parse(String(value)));
  };
  const setState = (now: BuildState): void =>
    void database.prepare(`INSERT OR REPLACE INTO meta VALUES ('state', ?)`).run(JSON.stringify(now));
  const usedTexts = () => database.prepare(`SELECT text FROM texts WHERE ${IS_USED}`).iterate();
  const close = () => {
    if (!database.isOpen) return;
    if (database.isTransaction) database.exec('ROLLBACK');
    database.close();
  };
  return {
    /** Undefined before the first build. */
    state,
    page: (file: string): ManifestPage | undefined => {
      const row = one(onePage, file);
      return row && toPage(row);
    },
    isPage: (file: string): boolean => one('SELECT 1 FROM pages WHERE file = ?', file) !== undefined,
    /** Returns files of these routes that are not about a product or a family. */
    othersOf: (routes: readonly string[]): Set<string> =>
      new Set(all(OTHERS_OF, JSON.stringify(routes)).map(({ file }) => String(file))),
    /** Returns all files that are not about a product or a family, with their sizes. */
    otherSizes: () => all('SELECT file, bytes FROM pages WHERE of_product = 0').map(toSize),
    /** Returns the pages and generated files of one of `of` disjoint parts, zero-based, with their sizes. */
    sizes: (part: number, of: number) => all(SIZES, of, part, of, part).map(toSize),
    filesBelow: (folder: string) =>
      all(`SELECT file FROM pages WHERE ${BELOW}`, `${folder}/`, `${folder}0`).map(({ file }) => String(file)),
    pages: function* (): Generator<[file: string, page: ManifestPage]> {
      for (const row of database.prepare(allPages).iterate()) yield [String(row['file']), toPage(row)];
    },
    /** Counts pages and generated files. */
    countFiles: () =>
      Number(one('SELECT (SELECT count(*) FROM pages) + (SELECT count(*) FROM generated_files) AS n')?.['n']),
    countPages: () => count('is_html = 1'),
    files: () => all('SELECT file FROM pages').map(({ file }) => String(file)),
    /** Returns all references of pages and generated files, without duplicates. */
    references: () => {
      const pathnames = new Set(state()?.others);
      for (const { text } of usedTexts()) for (const pathname of parseReferences(String(text))) pathnames.add(pathname);
      return [...pathnames];
    },
    isReferredTo: (pathname: string): boolean =>
      one(`SELECT 1 FROM texts WHERE instr(text, ?) AND (${IS_USED}) LIMIT 1`, JSON.stringify(pathname)) !== undefined,
    /** Returns the sitemap entries of a range of pages, sorted by path, as UTF-8. */
    sitemapEntries: ({ from, to }: { from: number; to: number }): Uint8Array => {
      const entries = one(SITEMAP_ENTRIES, from, to)?.['entries'];
      return entries instanceof Uint8Array ? entries : new Uint8Array();
    },
    countInSitemap: () => count(`sitemap <> ''`),
    /** Recorded reads of the routes. */
    asked: queries,
    /**
     * Call it before files are written: stores the state of the build and clears the keys of all pages to render.
     *
     * @param changed Reads whose results have changed; pages that still run them record them again.
     */
    begin: (now: BuildState, stale: readonly string[] | 'all', changed: readonly string[] = []): void => {
      database.exec('BEGIN IMMEDIATE');
      setState({ ...now, complete: false });
      queries.forget(stale === 'all' ? 'all' : changed);
      if (stale === 'all') database.exec('UPDATE pages SET key = NULL');
      else for (const file of stale) clearKey.run(file);
      database.exec('COMMIT');
    },
    /** Starts the transaction for the results of a build; it is invisible until `commit`. */
    change: () => database.exec('BEGIN IMMEDIATE'),
    put: (file: string, { trace, bytes, sitemap, references: text, route }: ManifestPage): void => {
      insertPage.run(
        file,
        trace?.key ?? null,
        trace?.own ?? null,
        trace ? idOf(trace.shared) : null,
        bytes,
        idOf(text),
        hashBucket(file),
        sitemap,
        file.endsWith('.html') ? 1 : 0,
        isOfProduct(file) ? 1 : 0,
        route === undefined ? null : idOf(route),
      );
    },
    remove: (file: string): void => void deletePage.run(file),
    generated: createGeneratedManifest(database, idOf),
    commit: (now: BuildState): void => {
      setState(now);
      database.exec('COMMIT');
    },
    close,
    [Symbol.dispose]: close,
  };
}

function toPage(row: Record<string, unknown>): ManifestPage {
  const [key, shared, own] = [textOf(row['key']), textOf(row['reads']), textOf(row['own_reads'])];
  const hasTrace = key !== undefined && shared !== undefined && own !== undefined;
  return {
    trace: hasTrace ? { key, shared, own } : undefined,
    bytes: Number(row['bytes']),
    sitemap: String(row['sitemap']),
    references: String(row['text']),
    route: textOf(row['route']),
  };
}

function toSize({ file, bytes }: Record<string, unknown>): [file: string, bytes: number] {
  return [String(file), Number(bytes)];
}

/** Checking this many files takes about 50 ms. On larger sites, each build checks another part. */
const MOST_FILES = 2_500;

/**
 * Checks whether the site is as the last build left it, by the size of files. Detects emptied folders, truncated files
 * and partially restored caches. For more than `mostFiles` files, checks all pages that are not about products and a
 * part of the others, which changes with each turn.
 */
export function isSiteIntact(
  manifest: BuildManifest,
  distFolder: string,
  { turn = 0, mostFiles = MOST_FILES }: Pick<BuildState, 'turn'> & { mostFiles?: number },
): boolean {
  const areIntact = (files: Iterable<[string, number]>): boolean =>
    Iterator.from(files).every(([file, bytes]) => hasFileOfSize(distFolder, file, bytes));
  const parts = Math.max(1, Math.ceil(manifest.countFiles() / mostFiles));
  return areIntact(manifest.sizes(turn % parts, parts)) && (parts === 1 || areIntact(manifest.otherSizes()));
}
