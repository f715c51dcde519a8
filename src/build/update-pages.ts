import type { PageContent, PageWriter } from '#files/page-writer.ts';
import { parseReferences, type PageScan, scanPage } from '#generated/scan/read-head.ts';
import type { BuildState, BuildManifest, ManifestPage } from './manifest/build-manifest.ts';
import {
  hasSameReads,
  type RecordedRead,
  type Trace,
  type Traced,
  type RouteReads,
} from './manifest/recorded-reads.ts';

/** A page, feed or other file that a route renders. */
export interface PagePath {
  /** Relative to the site's folder. */
  file: string;
  /** File of its route, relative to the project. */
  route: string;
  /** Returns its current key; undefined if unknown. */
  keyNow: (trace: Pick<Trace, 'shared' | 'own'>) => string | undefined;
  /** Returns its content, and its reads. */
  render: () => Promise<{ written: PageContent } & Omit<Traced<unknown>, 'result'>>;
}

/** Reads of a page and its route. */
export interface RouteTrace extends Omit<Traced<unknown>, 'result'> {
  route: string;
}

/** Receives the results of rendering. */
export interface RenderResults {
  onPage(file: string, page: PageScan, traced: RouteTrace): void;
  /** Called with the reads that it took to find pages of a route. */
  onReads(route: string, answers: readonly RecordedRead[]): void;
}

export interface UpdatePagesOptions {
  /** Excludes pages that only threads find. */
  paths: readonly PagePath[];
  /** Reads that it took to find the pages of routes. */
  routes: ReadonlyMap<string, RouteReads>;
  /** Reads whose results have changed. */
  changed: readonly string[];
  /** Renders everything, without comparing reads. */
  fromScratch: boolean;
  /** Files of removed pages; undefined if all pages are given, so that others of the manifest are removed. */
  gone: readonly string[] | undefined;
  manifest: BuildManifest;
  state: BuildState;
  writer: Pick<PageWriter, 'write'>;
  /**
   * Returns the sitemap entry of a page.
   *
   * @param head `ScannedHead` as JSON.
   */
  describe: (file: string, head: string) => string;
  onProgress: (done: number, total: number | undefined) => void;
  /**
   * Renders and writes pages in threads if they pay off.
   *
   * @returns Further pages that are left to render.
   */
  renderInThreads?: (files: readonly string[], results: RenderResults) => Promise<readonly PagePath[]>;
}

export interface UpdatedPages {
  /** Files of removed pages, which still exist. */
  gone: readonly string[];
  /** References of the checked pages in the last build; undefined if unreliable. */
  before: ReadonlySet<string> | undefined;
  /** References of the rendered pages; undefined if all pages were rendered. */
  after: ReadonlySet<string> | undefined;
  /** Files with changed sitemap entries; undefined if all pages were rendered. */
  moved: readonly string[] | undefined;
}

/**
 * Renders pages that may have changed since the last build, and writes those that did. Clears the keys of all pages to
 * render before writing the first file, so that the next build renders them again if this one is interrupted. Leaves
 * the manifest with an uncommitted transaction.
 */
export async function updatePages(options: UpdatePagesOptions): Promise<UpdatedPages> {
  const { paths, routes, changed, fromScratch, manifest, state, writer, describe, onProgress, renderInThreads } =
    options;
  const areAll = options.gone === undefined;
  const previous = manifest.state();
  const stale = fromScratch ? paths : paths.filter(({ file, keyNow }) => !hasSameReads(manifest.page(file), keyNow));
  const files = stale.map(({ file }) => file);
  const before = new Set(areAll && previous?.complete ? manifest.references() : []);
  const after = new Set<string>();
  const moved: string[] = [];
  manifest.begin({ ...state, others: previous?.others }, fromScratch ? 'all' : files, changed);
  manifest.change();
  for (const [route, { answers, isScoped }] of routes) manifest.asked.putRoute(route, answers, isScoped);
  const recordChange = (file: string, now: ManifestPage | undefined): void => {
    if (areAll) return;
    const known = manifest.page(file);
    for (const pathname of parseReferences(known?.references)) before.add(pathname);
    for (const pathname of parseReferences(now?.references)) after.add(pathname);
    if ((known?.sitemap ?? '') !== (now?.sitemap ?? '')) moved.push(file);
  };
  const rendered = new Set<string>();
  const onPage: RenderResults['onPage'] = (file, { head, bytes, references }, { route, trace, answers }) => {
    if (rendered.has(file)) throw new Error(`Two routes generate ${file}.`);
    const page = { trace, bytes, references, sitemap: describe(file, head), route };
    recordChange(file, page);
    manifest.put(file, page);
    manifest.asked.put(route, answers);
    rendered.add(file);
    // The number of pages that threads find is unknown.
    onProgress(rendered.size, fromScratch && renderInThreads ? undefined : stale.length);
  };
  const left = (await renderInThreads?.(files, { onPage, onReads: manifest.asked.put })) ?? [];
  for (const { file, route, render } of [...stale, ...left]) {
    if (rendered.has(file)) continue;
    const { written, ...traced } = await render().catch((error: unknown) => addPageName(error, file));
    onPage(file, writePage(file, written, writer), { ...traced, route });
  }
  const present = new Set([...(areAll ? paths.map(({ file }) => file) : []), ...rendered]);
  const gone = (options.gone ?? manifest.files()).filter((file) => !present.has(file));
  for (const file of gone) {
    recordChange(file, undefined);
    manifest.remove(file);
  }
  return {
    gone,
    before: previous?.complete ? before : undefined,
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
