import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { renderContext } from '#catalogue/site/render-context.ts';
import type { RecordedReads } from '#catalogue/site/tracked-queries.ts';
import { filesIn } from '#files/built-files.ts';
import { joinPageWriter, readPageContent } from '#files/page-writer.ts';
import type { PageScan } from '#generated/scan/read-head.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import { processBatches } from '#files/worker-thread.ts';
import { openBundle, type BundlePath } from './bundle/astro-internals.ts';
import { hasUnoptimizedImage } from './bundle/collect-sources.ts';
import { trackScope } from './choose-scope.ts';
import { requestUrl } from './find-pages.ts';
import { openTracer } from './manifest/trace.ts';
import { toRenderScope, type Batch, type RenderJob, type RenderResult, type RenderTask } from './batches.ts';
import { outputFile, writePage, type RouteTrace } from './update-pages.ts';

/** Worker thread of a pool: receives files or batches, and responds with what it has rendered. */
const { task, number } = workerData as { task: RenderTask; number: number };
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
  task.scope,
);
renderContext.current = host;
const renderer = await openBundle(bundleFolder, state, () => undefined);
const tracer = openTracer(await renderer.createReadRecorder());
const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
const writer = joinPageWriter(settings.distFolder, `page-${number}`);
let namedPages: ReadonlyMap<string, BundlePath> | undefined;
/** Routes whose pages come in batches, and the files of all other pages. */
let batchRoutes: { routes: readonly string[]; others: ReadonlySet<string> } | undefined;
/** Reads of batch searches that were not reported yet. */
const unreported: RenderResult['routes'] = [];
/** Routes that read the scope. */
const scopedRoutes = new Set<string>();

processBatches<RenderJob, RenderResult>(async (jobs) => {
  const results: RenderResult[] = [];
  for (const job of jobs) results.push('files' in job ? await renderFiles(job.files) : await renderBatch(job));
  return results;
});

async function renderFiles(files: readonly string[]): Promise<RenderResult> {
  namedPages ??= byFile(await findPaths(task.routes));
  const pages = files.flatMap((file): [string, BundlePath][] => {
    const page = namedPages?.get(file);
    return page ? [[file, page]] : [];
  });
  return { rendered: await renderPages(pages), routes: [] };
}

async function renderBatch({ batch, number: batchNumber }: { batch: Batch; number: number }): Promise<RenderResult> {
  const found = await findBatch(batch);
  const rendered = await renderPages(found);
  const routes = unreported.splice(0);
  return rendered.length === found.length ? { rendered, delivered: batchNumber, routes } : { rendered, routes };
}

async function renderPages(pages: Iterable<[file: string, page: BundlePath]>): Promise<RenderResult['rendered']> {
  const rendered: RenderResult['rendered'] = [];
  for (const [file, page] of pages) {
    const result = await renderPage(file, page);
    if (result) rendered.push([file, ...result]);
  }
  return rendered;
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
  const { pathname, type, props, component: route } = page;
  try {
    const { result: written, ...traced } = await tracer.render(
      { route, props, isScoped: scopedRoutes.has(route) },
      () => renderer.render(page, new Request(requestUrl(pathname, type, settings.siteUrl))).then(readPageContent),
    );
    if (!written || hasUnoptimizedImage(written.text, state)) return undefined;
    return [writePage(file, written, writer), { ...traced, route }];
  } catch {
    return undefined;
  }
}
