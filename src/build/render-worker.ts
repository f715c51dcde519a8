import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { filesIn } from '#files/built-files.ts';
import { joinPageWriter } from '#files/page-writer.ts';
import { openReaders } from '#catalogue/read-model/product-readers.ts';
import { processBatches } from '#files/worker-thread.ts';
import { toRenderScope, type Batch, type RenderJob, type RenderResult, type RenderTask } from './batches.ts';
import { openBundle } from './bundle/astro-internals.ts';
import { openPageFinder } from './find-pages.ts';
import { writePage, type PagePath } from './update-pages.ts';

/** Worker thread of a pool: receives files or batches, and responds with what it has rendered. */
const { task, number } = workerData as { task: RenderTask; number: number };
const { settings, bundleFolder, state, collections, scope, routes } = task;
setBasePath(settings.base, settings.options.path);

const products = openReaders(settings);
products.productIndex().readAhead();
const { find } = openPageFinder(await openBundle(bundleFolder, state, () => undefined), {
  bundle: state,
  siteUrl: settings.siteUrl,
  products,
  provided: collections,
  publicFiles: new Set(filesIn(path.join(settings.root, 'public'))),
});
const writer = joinPageWriter(settings.distFolder, `page-${number}`);
/** Pages that are named by their files. */
let namedPages: ReadonlyMap<string, PagePath> | undefined;
/** Routes whose pages come in batches, and the files of all other pages. */
let batchRoutes: { routes: string[]; others: ReadonlySet<string> } | undefined;

processBatches<RenderJob, RenderResult>(async (jobs) => {
  const results: RenderResult[] = [];
  for (const job of jobs) results.push('files' in job ? await renderFiles(job.files) : await renderBatch(job));
  return results;
});

async function renderFiles(files: readonly string[]): Promise<RenderResult> {
  namedPages ??= new Map((await find(scope, routes)).paths.map((page) => [page.file, page]));
  return { rendered: await renderPages(files.flatMap((file) => namedPages?.get(file) ?? [])), routes: [] };
}

async function renderBatch({ batch, number: batchNumber }: { batch: Batch; number: number }): Promise<RenderResult> {
  namedPages = undefined;
  if (!batchRoutes) {
    const found = await find(scope);
    const scoped = [...found.routes].flatMap(([route, { isScoped }]) => (isScoped ? route : []));
    batchRoutes = { routes: scoped, others: new Set(found.paths.map(({ file }) => file)) };
  }
  const { others } = batchRoutes;
  const found = await find(toRenderScope([batch]), batchRoutes.routes);
  const pages = found.paths.filter(({ file }) => !others.has(file));
  const rendered = await renderPages(pages);
  const reads = [...found.routes].map(([route, { answers }]): RenderResult['routes'][number] => [route, answers]);
  return { rendered, routes: reads, ...(rendered.length === pages.length && { delivered: batchNumber }) };
}

/** Skips pages that fail: the main thread has to render them, because it reports errors in detail. */
async function renderPages(pages: readonly PagePath[]): Promise<RenderResult['rendered']> {
  const rendered: RenderResult['rendered'] = [];
  for (const { file, route, render } of pages) {
    const page = await render().catch(() => undefined);
    if (!page) continue;
    const { written, ...traced } = page;
    rendered.push([file, writePage(file, written, writer), { ...traced, route }]);
  }
  return rendered;
}
