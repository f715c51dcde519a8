import { setImmediate } from 'node:timers/promises';
import type { PageContent, PageWriter } from '#files/page-writer.ts';
import { hasFileOfSize } from '#files/built-files.ts';
import { matchesBuild, type ManifestPage, type BuildState, type BuildManifest } from './manifest/build-manifest.ts';
import { parseReferences, type PageScan, scanPage } from '#generated/scan/read-head.ts';
import { hasSameReads, type Trace, type Traced, type RecordedRead } from './manifest/trace.ts';
import type { TrackedQueries, RouteReads } from './manifest/tracked-queries.ts';
import type { IndexedPage } from '#catalogue/read-model/product-index.ts';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries, RenderScope } from '#catalogue/site/render-context.ts';
import type { BundleState } from './bundle/astro-internals.ts';
import type { RenderCounts } from './bundle/intercept-pages.ts';
import { availableParallelism } from 'node:os';

/** A page, feed or other file that a route renders. */
export interface PagePath {
  /** Relative to the site's folder. */
  file: string;
  /** File of its route, relative to the project. */
  route: string;
  /** Returns its current key; undefined if unknown. */
  keyNow: (trace: Pick<Trace, 'shared' | 'own'>) => string | undefined;
  /** Returns its content, undefined if there is none (such as for a redirect), and its reads. */
  render: () => Promise<{ written: PageContent | undefined } & Omit<Traced<unknown>, 'result'>>;
}

export interface UpdatePagesOptions {
  /** Excludes pages in the batches of `pool`. */
  paths: readonly PagePath[];
  /** Reads that it took to find the pages of routes. */
  routes: ReadonlyMap<string, RouteReads>;
  /** Reads whose results have changed. */
  changed: readonly string[];
  /** True if these and the batches are all pages of the site: other pages in the manifest are removed. */
  areAll: boolean;
  /** Files of removed pages, if not all pages are listed. */
  gone: readonly string[];
  manifest: BuildManifest;
  state: BuildState;
  writer: PageWriter;
  /**
   * Returns the sitemap entry of a page.
   *
   * @param head `ScannedHead` as JSON.
   */
  describe: (file: string, head: string) => string;
  onProgress: (done: number, total: number | undefined) => void;
  /** True if the files of unchanged pages are known to exist. */
  areThere: boolean;
  /** Renders everything regardless of the manifest. */
  fromScratch?: boolean;
  pool?: RenderPool;
}

export type RecordPage = (file: string, page: PageScan, traced: RouteTrace) => void;

/** Threads, where they pay off. */
export interface RenderPool {
  /**
   * Compares all pages of the batches with the manifest. Returns undefined if a thread has failed: render all of them
   * then.
   */
  compare(): Promise<ComparedBatch[] | undefined>;
  /**
   * Renders and writes pages, and passes each to `onResult`. Pages that a thread can't render have no result: render
   * them in the main thread, which reports errors and collects Astro's images.
   *
   * @param files Pages that belong to no batch.
   * @param compared Results for the batches; undefined to render all of their pages.
   * @returns Pages of batches that are left to render.
   */
  render(
    files: readonly string[],
    compared: readonly ComparedBatch[] | undefined,
    callbacks: { onResult: RecordPage; onAsked: TrackedQueries['put'] },
  ): Promise<readonly PagePath[]>;
}

export interface UpdatedPages {
  /** Number of paths without output. */
  empty: number;
  /** Files of removed pages, which still exist. */
  gone: string[];
  /** References of the checked pages in the last build; undefined if unreliable. */
  before: ReadonlySet<string> | undefined;
  /** References of the rendered pages; undefined if all pages were checked. */
  after: ReadonlySet<string> | undefined;
  /** Files with changed sitemap entries; undefined if all pages were checked. */
  moved: readonly string[] | undefined;
}

/**
 * Renders pages that may have changed since the last build, and writes those that did. Clears the keys of all pages to
 * render before writing the first file, so that the next build renders them again if this one is interrupted. Leaves
 * the manifest with an uncommitted transaction.
 */
export async function updatePages(options: UpdatePagesOptions): Promise<UpdatedPages> {
  const {
    paths,
    routes,
    changed,
    areAll,
    areThere,
    fromScratch = false,
    manifest,
    state,
    writer,
    describe,
    onProgress,
  } = options;
  const { distFolder } = state;
  const previous = manifest.state();
  const isSame = matchesBuild(previous, state);
  const compared = isSame && !fromScratch ? await (options.pool?.compare() ?? []) : undefined;
  const isFresh = ({ file, keyNow }: PagePath): boolean => {
    const known = compared && manifest.knownFile(file);
    return hasSameReads(known, keyNow) && (areThere || hasFileOfSize(distFolder, file, known.bytes));
  };
  const stale = paths.filter((page) => !isFresh(page));
  const named = new Map(stale.map((page) => [page.file, page]));
  const before = new Set(areAll && isSame && previous.complete ? manifest.references() : []);
  manifest.begin(
    { ...state, others: isSame ? previous.others : undefined },
    compared ? [...named.keys(), ...compared.flatMap((batch) => batch.stale)] : 'all',
    changed,
  );
  manifest.change();
  for (const [route, { answers, isScoped }] of routes) manifest.asked.putRoute(route, answers, isScoped);
  for (const [route, answers] of (compared ?? []).flatMap((batch) => batch.routes)) manifest.asked.put(route, answers);
  const after = new Set<string>();
  const moved: string[] = [];
  const recordChange = (file: string, now: ManifestPage | undefined): void => {
    if (areAll) return;
    const known = manifest.page(file);
    for (const pathname of parseReferences(known?.references)) before.add(pathname);
    for (const pathname of parseReferences(now?.references)) after.add(pathname);
    if ((known?.sitemap ?? '') !== (now?.sitemap ?? '')) moved.push(file);
  };
  const recorded = new Set<string>();
  // The number of pages in batches is unknown until they are found.
  const total = compared?.reduce((sum, batch) => sum + batch.stale.length, stale.length);
  const onResult: RecordPage = (file, { head, bytes, references }, { route, trace, answers }) => {
    if (recorded.has(file)) throw new Error(`Two routes generate ${file}.`);
    const page = { trace, bytes, references, sitemap: describe(file, head), route };
    recordChange(file, page);
    manifest.put(file, page);
    manifest.asked.put(route, answers);
    recorded.add(file);
    onProgress(recorded.size, total);
  };
  const unfinished = await options.pool?.render([...named.keys()], compared, { onResult, onAsked: manifest.asked.put });
  const empty: string[] = [];
  for (const { file, route, render } of [...stale, ...(unfinished ?? [])]) {
    if (recorded.has(file)) continue;
    // Lets running generators continue.
    await setImmediate();
    const { written, ...traced } = await render().catch((error: unknown) => addPageName(error, file));
    if (!written) empty.push(file);
    else onResult(file, writePage(file, written, writer), { ...traced, route });
  }
  const batchFiles = compared?.flatMap((batch) => batch.present) ?? [];
  const present = new Set([...paths.map(({ file }) => file), ...batchFiles, ...recorded]);
  const dropped = areAll ? manifest.files().filter((file) => !present.has(file)) : options.gone;
  const gone = [...dropped, ...empty].filter((file) => !recorded.has(file));
  for (const file of gone) {
    recordChange(file, undefined);
    manifest.remove(file);
  }
  const isReliable = isSame && previous.complete;
  return {
    empty: empty.length,
    gone,
    before: isReliable ? before : undefined,
    after: areAll ? undefined : after,
    moved: areAll ? undefined : moved,
  };
}

/**
 * Adds the page's file to an error message, which otherwise only names a source location shared by thousands of pages.
 */
function addPageName(error: unknown, file: string): never {
  if (error instanceof Error) error.message = `${file} can't be rendered: ${error.message}`;
  throw error;
}

/** Writes a page and returns its manifest entry. */
export function writePage(file: string, { bytes, text }: PageContent, writer: Pick<PageWriter, 'write'>): PageScan {
  writer.write(file, bytes);
  return { bytes: bytes.length, ...scanPage(file, text) };
}

/**
 * Returns the output file of a path, relative to the site's folder, as named by Astro with `build.format: 'directory'`.
 * Returns undefined for paths that need encoding in URLs: Astro handles those.
 */
export function outputFile(pathname: string, type: string): string | undefined {
  if (/[?#%\\\0]|(^|\/)\.{1,2}(\/|$)|\/\//.test(pathname)) return undefined;
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  if (type === 'endpoint') return bare === '' ? undefined : bare;
  if (type !== 'page') return undefined;
  if (bare === '404' || bare === '500') return `${bare}.html`;
  return bare === '' ? 'index.html' : `${bare}/index.html`;
}

/** Initial data of a thread. */
export interface RenderWorkerData {
  task: RenderTask;
  number: number;
  /** Scope of the pages named by their files, as in `PageFinder.find`. */
  scope: RenderScope | undefined;
  routes: readonly string[] | undefined;
}

/** Pages to compare or render: known files, or a batch. */
export type RenderJob =
  { files: readonly string[] } | { compare: Batch; number: number } | { batch: Batch; number: number };

/** Reads of a page and its route. */
export interface RouteTrace extends Omit<Traced<unknown>, 'result'> {
  route: string;
}

/** Reads that it took to find the pages of a batch, by route file. */
export type ReadsByRoute = [route: string, answers: RecordedRead[]][];

/** Result of comparing a batch with the manifest. */
export interface ComparedBatch {
  number: number;
  /** Files of all pages. */
  present: string[];
  /** Files to render. */
  stale: string[];
  routes: ReadsByRoute;
}

export interface RenderResult {
  rendered: [file: string, page: PageScan, traced: RouteTrace][];
  /** Number of the batch, if all of its pages were rendered. */
  delivered: number | undefined;
  routes: ReadsByRoute;
  /** Render counts since the last result. */
  ways: RenderCounts;
  /** Routes that fell back to Astro since the last result, with the reason. */
  slow: [route: string, difference: string][];
}

/**
 * Returns the number of threads for a number of pages; 0 to render in the main thread.
 *
 * @param requested Number chosen by the user.
 */
export function poolSize(pages: number, requested: number | undefined): number {
  if (requested !== undefined) return requested > 1 ? requested : 0;
  const size = Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

/** Data that a thread needs to render pages. */
export interface RenderTask {
  settings: Settings;
  bundleFolder: string;
  state: BundleState;
  collections: ReadonlyMap<string, CollectionEntries>;
}

/** Starting a thread takes as long as a few hundred pages, and each thread needs its own lists in memory. */
const PAGES_WORTH_A_THREAD = 3000;

/** An independent part of the product pages: some products, or the lists of a family. */
export interface Batch {
  products: readonly IndexedPage[];
  /** `<language>/<family>`: the lists of the family in all languages. */
  productGroups: readonly string[];
  /** True if its products have changed, so that comparing their pages isn't worthwhile. */
  haveChanged?: boolean;
  /** Files to render; undefined for all. */
  stale?: readonly string[];
}
