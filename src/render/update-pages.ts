import { setImmediate } from 'node:timers/promises';
import type { WrittenText } from '#files/encode-text.ts';
import { isThere } from '#files/built-files.ts';
import { isOf, type ManifestPage, type BuildState, type BuildManifest } from './manifest/build-manifest.ts';
import { readReferences, type RenderedPage } from '#generated/scan/scan-text.ts';
import { isStill, type Trace, type Traced } from './manifest/trace.ts';
import type { AskedQuestions, RouteReads } from './manifest/asked-questions.ts';
import type { ComparedBatch, TracedOfRoute } from './render-job.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { toResult } from './render-page.ts';

/** A page, feed or other file that a route renders. */
export interface PagePath {
  /** Relative to the folder of the site. */
  file: string;
  /** The file of its route, relative to the project. */
  route: string;
  /** The key that it has now; undefined where that isn't known. */
  keyNow: (of: Pick<Trace, 'shared' | 'own'>) => string | undefined;
  /** What to write, undefined when that is nothing, as for a redirect; and what it has read. */
  render: () => Promise<{ written: WrittenText | undefined } & Omit<Traced<unknown>, 'result'>>;
}

export interface UpdatePagesOptions {
  /** Without those in the batches of `pool`. */
  paths: readonly PagePath[];
  /** What was read to find the pages of routes. */
  routes: ReadonlyMap<string, RouteReads>;
  /** What was read and has other answers now. */
  changed: readonly string[];
  /** Whether these and the batches are all pages of the site: whatever else the manifest has is a page no more. */
  areAll: boolean;
  /** Files that are pages no more, where not all are named. */
  gone: readonly string[];
  manifest: BuildManifest;
  /** Of this build. */
  state: BuildState;
  writer: PageWriter;
  /** The sitemap's entry for a page. @param head `ScannedHead` as JSON. */
  describe: (file: string, head: string) => string;
  onProgress: (done: number, total: number | undefined) => void;
  /** Whether the files of unchanged pages are known to be there. */
  areThere: boolean;
  /** Render all of it, whatever the manifest knows. */
  fromScratch?: boolean;
  pool?: RenderPool;
}

export type RecordPage = (file: string, page: RenderedPage, traced: TracedOfRoute) => void;

/** Threads, where they pay. */
export interface RenderPool {
  /** Compares all pages of the batches with the manifest. Undefined where a thread has failed: render all of them then. */
  compare(): Promise<ComparedBatch[] | undefined>;
  /**
   * Renders and writes pages, and gives each to `onResult`. What a thread could not render has no result: render it
   * here, where errors have their place and Astro's images are collected.
   * @param files Of pages that come in no batch.
   * @param compared Of the batches, undefined to render all of their pages.
   * @returns Pages of batches that are left to render here.
   */
  render(
    files: readonly string[],
    compared: readonly ComparedBatch[] | undefined,
    told: { onResult: RecordPage; onAsked: AskedQuestions['put'] },
  ): Promise<readonly PagePath[]>;
}

export interface UpdatedPages {
  /** How many paths gave nothing to write. */
  empty: number;
  /** Files whose pages are no more; they are still there. */
  gone: string[];
  /** What the last build has put there for the pages that were looked at; undefined when it can't be relied on. */
  before: ReadonlySet<string> | undefined;
  /** What those of these pages refer to that were rendered; undefined when all pages were looked at. */
  after: ReadonlySet<string> | undefined;
  /** Files whose entries in the sitemap are others now; undefined when all pages were looked at. */
  moved: readonly string[] | undefined;
}

/**
 * Renders what may have changed since the last build, and writes what has. Before the first file is touched, the
 * manifest forgets the keys of all that will be rendered: whenever a build ends early, the next one renders them again.
 * Leaves the manifest with a change that is still to be committed.
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
  const isSame = isOf(previous, state);
  const compared = isSame && !fromScratch ? await (options.pool?.compare() ?? []) : undefined;
  const isFresh = ({ file, keyNow }: PagePath): boolean => {
    const known = compared && manifest.knownFile(file);
    return isStill(known, keyNow) && (areThere || isThere(distFolder, file, known.bytes));
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
  const note = (file: string, now: ManifestPage | undefined): void => {
    if (areAll) return;
    const known = manifest.page(file);
    for (const place of readReferences(known?.references)) before.add(place);
    for (const place of readReferences(now?.references)) after.add(place);
    if ((known?.sitemap ?? '') !== (now?.sitemap ?? '')) moved.push(file);
  };
  const recorded = new Set<string>();
  // How many come in batches shows when they are unpacked.
  const total = compared?.reduce((sum, batch) => sum + batch.stale.length, stale.length);
  const onResult: RecordPage = (file, { head, bytes, references }, { route, trace, answers }) => {
    if (recorded.has(file)) throw new Error(`Two routes generate ${file}.`);
    const page = { trace, bytes, references, sitemap: describe(file, head), route };
    note(file, page);
    manifest.put(file, page);
    manifest.asked.put(route, answers);
    recorded.add(file);
    onProgress(recorded.size, total);
  };
  const left = await options.pool?.render([...named.keys()], compared, { onResult, onAsked: manifest.asked.put });
  const empty: string[] = [];
  for (const { file, route, render } of [...stale, ...(left ?? [])]) {
    if (recorded.has(file)) continue;
    // Generators that have started go on meanwhile.
    await setImmediate();
    const { written, ...traced } = await render().catch((error: unknown) => namePage(error, file));
    if (!written) empty.push(file);
    else onResult(file, toResult(file, written, writer), { ...traced, route });
  }
  const ofBatches = compared?.flatMap((batch) => batch.present) ?? [];
  const present = new Set([...paths.map(({ file }) => file), ...ofBatches, ...recorded]);
  const dropped = areAll ? manifest.files().filter((file) => !present.has(file)) : options.gone;
  const gone = [...dropped, ...empty].filter((file) => !recorded.has(file));
  for (const file of gone) {
    note(file, undefined);
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

/** An error says where in the source it happened; of thousands of pages it is one product's that has to be found. */
function namePage(error: unknown, file: string): never {
  if (error instanceof Error) error.message = `${file} can't be rendered: ${error.message}`;
  throw error;
}
