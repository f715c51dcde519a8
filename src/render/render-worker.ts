import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { renderContext } from '#catalogue/site/render-context.ts';
import { processBatches } from '#files/worker-thread.ts';
import { openBundle } from './bundle/astro-internals.ts';
import { hasUnoptimizedImage } from './bundle/collect-sources.ts';
import type { BundlePath } from './bundle/intercept-pages.ts';
import { filesIn, hasFileOfSize } from '#files/built-files.ts';
import { buildPaths } from '#config/build-paths.ts';
import { readManifest, type BuildManifest } from './manifest/build-manifest.ts';
import { trackScope } from './choose-scope.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import {
  outputFile,
  writePage,
  type ReadsByRoute,
  type Batch,
  type ComparedBatch,
  type RenderJob,
  type RenderResult,
  type RenderWorkerData,
  type RouteTrace,
} from './update-pages.ts';
import { joinPageWriter, readPageContent } from '#files/page-writer.ts';
import { toRenderScope } from './batches.ts';
import type { RecordedReads } from '#catalogue/site/tracked-queries.ts';
import { requestUrl } from './find-pages.ts';
import { hasSameReads, openTracer } from './manifest/trace.ts';
import type { PageScan } from '#generated/scan/read-head.ts';

/** Worker thread of a pool: receives files or batches, and responds with what it has compared or rendered. */
const { task, number, scope: firstScope, routes } = workerData as RenderWorkerData;
const { settings, bundleFolder, state, collections } = task;
setBasePath(settings.base);

const catalogue = openReaders(settings);
catalogue.productIndex().readAhead();
const { host, scope } = trackScope(
  {
    productIndex: catalogue.productIndex,
    readProduct: catalogue.readProduct,
    readTranscript: catalogue.readTranscript,
    provided: collections,
  },
  firstScope,
);
renderContext.current = host;
const slow: RenderResult['slow'] = [];
const renderer = await openBundle(bundleFolder, state, {
  onLog: () => undefined,
  onSlow: (route, difference) => void slow.push([route, difference]),
});
const tracer = openTracer(await renderer.createReadRecorder());
const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
const writer = joinPageWriter(settings.distFolder, `page-${number}`);
let namedPages: ReadonlyMap<string, BundlePath> | undefined;
/** Routes whose pages come in batches, and the files of all other pages. */
let batchRoutes: { routes: readonly string[]; others: ReadonlySet<string> } | undefined;
let manifest: Pick<BuildManifest, 'knownFile'> | undefined;
/** Reads of batch searches that were not reported yet. */
const unreported: ReadsByRoute = [];
/** Routes that read the scope. */
const scopedRoutes = new Set<string>();

processBatches<RenderJob, RenderResult | ComparedBatch>(async (orders) => {
  const results: (RenderResult | ComparedBatch)[] = [];
  for (const order of orders) {
    if ('files' in order) results.push(await renderFiles(order.files));
    else results.push(await ('compare' in order ? compare(order) : renderBatch(order)));
  }
  return results;
});

async function renderFiles(files: readonly string[]): Promise<RenderResult> {
  namedPages ??= byFile(await findPaths(routes));
  const rendered: RenderResult['rendered'] = [];
  for (const file of files) {
    const found = namedPages.get(file);
    const page = found && (await renderPage(file, found));
    if (page) rendered.push([file, ...page]);
  }
  return { rendered, delivered: undefined, routes: [], ways: renderer.takeWays(), slow: slow.splice(0) };
}

async function compare({
  compare: batch,
  number: batchNumber,
}: Extract<RenderJob, { compare: Batch }>): Promise<ComparedBatch> {
  manifest ??= readManifest(buildPaths(settings).manifestFile);
  const present: string[] = [];
  const stale: string[] = [];
  for (const [file, { props }] of await findBatch(batch)) {
    const known = manifest.knownFile(file);
    const isFresh = !batch.haveChanged && hasSameReads(known, (trace) => tracer.keyNow(trace, props));
    present.push(file);
    if (!isFresh || !hasFileOfSize(settings.distFolder, file, known.bytes)) stale.push(file);
  }
  return { number: batchNumber, present, stale, routes: unreported.splice(0) };
}

async function renderBatch({ batch, number: batchNumber }: { batch: Batch; number: number }): Promise<RenderResult> {
  const stale = batch.stale && new Set(batch.stale);
  const rendered: RenderResult['rendered'] = [];
  const found = await findBatch(batch);
  for (const [file, page] of found) {
    const result = !stale || stale.has(file) ? await renderPage(file, page) : undefined;
    if (result) rendered.push([file, ...result]);
  }
  const isWhole = rendered.length === (batch.stale ?? found).length;
  const delivered = isWhole ? batchNumber : undefined;
  return { rendered, delivered, routes: unreported.splice(0), ways: renderer.takeWays(), slow: slow.splice(0) };
}

/** Returns the pages of a batch by file, without those whose file another page takes. */
async function findBatch(batch: Batch): Promise<[file: string, page: BundlePath][]> {
  namedPages = undefined;
  if (!batchRoutes) {
    // Fills `scopedRoutes`: finding all paths reveals which routes come in batches.
    const others = new Set(byFile(await findPaths()).keys());
    batchRoutes = { routes: [...scopedRoutes], others };
  }
  const { others, routes: routesOfBatches } = batchRoutes;
  scope.now = toRenderScope([batch]);
  const paths = await findPaths(
    routesOfBatches,
    (route, reads) => void unreported.push([route, tracer.answersIn(reads)]),
  );
  const found = byFile(paths);
  // The main thread reports this error with details.
  if (found.size < paths.length) throw new Error('two routes generate the same file');
  return [...found].filter(([file]) => !others.has(file) && !publicFiles.has(file));
}

async function findPaths(
  onlyRoutes?: readonly string[],
  onRoute?: (route: string, reads: RecordedReads) => void,
): Promise<BundlePath[]> {
  scope.wasAsked();
  return await renderer.paths(onlyRoutes, (route, reads) => {
    if (scope.wasAsked()) scopedRoutes.add(route);
    onRoute?.(route, reads);
  });
}

/** The first of two equal files wins, as in Astro. */
function byFile(paths: readonly BundlePath[]): Map<string, BundlePath> {
  return new Map(paths.toReversed().map((found) => [outputFile(found.pathname, found.type) ?? '', found]));
}

/** Returns undefined for pages that the main thread has to render, because it reports errors in detail. */
async function renderPage(file: string, page: BundlePath): Promise<[PageScan, RouteTrace] | undefined> {
  try {
    const request = () => new Request(requestUrl(page.pathname, page.type, settings.siteUrl));
    const { props, component: route } = page;
    const { result: written, ...traced } = await tracer.render(
      { route, props, isScoped: scopedRoutes.has(route) },
      () => renderer.render(page, request).then(readPageContent),
    );
    if (!written || hasUnoptimizedImage(written.text, state)) return undefined;
    return [writePage(file, written, writer), { ...traced, route }];
  } catch {
    return undefined;
  }
}
