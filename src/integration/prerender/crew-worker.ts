import { workerData } from 'node:worker_threads';
import { BUILD_HOST } from '../../loaders/index.ts';
import { takeOrders } from '../threads/take-orders.ts';
import { openBundle } from './astro-internals.ts';
import { openReaders } from './open-catalogue-host.ts';
import { outputFile } from './output-file.ts';
import { joinPageWriter } from './page-writer.ts';
import { readBytes } from './read-bytes.ts';
import type { CrewTask } from './render-crew.ts';
import { settlePage, type RenderedPage } from './render-page.ts';
import { requestFor } from './request-path.ts';

/** A thread of a crew: is sent names of files, and answers with what it has rendered of them. */
const { task, number } = workerData as { task: CrewTask; number: number };
const { settings, bundleFolder, state, collections } = task;

const products = openReaders(settings);
products.listing().readAhead();
globalThis[BUILD_HOST] = {
  listing: products.listing,
  readProduct: products.readProduct,
  // All of them: files are handed out one by one.
  provided: new Map([...collections, ['products', products.listing().index()]]),
  keyless: true,
};
// Images that Astro makes smaller are collected where it can see them.
Object.assign(globalThis, {
  astroAsset: {
    addStaticImage: () => {
      throw new Error('This page is for the main thread to render.');
    },
  },
});
const renderer = await openBundle(bundleFolder, state, () => undefined);
const paths = new Map((await renderer.paths()).map((path) => [outputFile(path.pathname, path.type) ?? '', path]));
const writer = joinPageWriter(settings.distFolder, `page-${number}`);

takeOrders(renderAll);

async function renderAll(files: readonly string[]): Promise<[string, RenderedPage][]> {
  const rendered: [string, RenderedPage][] = [];
  for (const file of files) {
    const path = paths.get(file);
    if (!path) continue;
    try {
      const response = await renderer.render(requestFor(path.pathname, path.type, settings.siteUrl), path.routeData);
      const bytes = await readBytes(response);
      if (bytes) rendered.push([file, settlePage(file, bytes, writer)]);
    } catch {
      // The main thread renders it again, and says what is wrong with it.
    }
  }
  return rendered;
}
