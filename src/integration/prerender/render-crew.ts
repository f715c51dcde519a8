import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Settings } from '../../config/index.ts';
import type { CollectionEntries } from '../../loaders/index.ts';
import { collectGarbage } from '../threads/collect-garbage.ts';
import { feedThreads, inBatches } from '../threads/feed-thread.ts';
import type { BundleState } from './astro-internals.ts';
import type { Parcel } from './parcels.ts';
import type { RenderedPage } from './render-page.ts';

/** What a thread needs to render pages by itself. */
export interface CrewTask {
  settings: Settings;
  bundleFolder: string;
  state: BundleState;
  collections: ReadonlyMap<string, CollectionEntries>;
  /** Whether product pages come in parcels; else all pages are named. */
  inParcels: boolean;
}

/** Pages to render: some that are known by their files, or all of a parcel. */
export type CrewOrder = { files: readonly string[] } | { parcel: Parcel; number: number };

export interface CrewAnswer {
  rendered: [file: string, page: RenderedPage, cacheKey: string | undefined][];
  /** Number of the parcel, if all of its pages were rendered. */
  delivered: number | undefined;
}

/** A thread starts in the time of a few hundred pages and holds its own lists; it has to be worth both. */
const PAGES_WORTH_A_THREAD = 3000;
const FILES_AT_ONCE = 50;
const YOUNG_GENERATION_MB = 32;

/** How many threads pay for so many pages; 0 when this one had better do it. @param asked By the user. */
export function crewSize(pages: number, asked: number | undefined): number {
  if (asked !== undefined) return asked > 1 ? asked : 0;
  const size = Math.min(availableParallelism(), Math.floor(pages / PAGES_WORTH_A_THREAD));
  return size > 1 ? size : 0;
}

/**
 * Renders and writes files on several threads. What a thread could not render is not settled: render it here, where
 * errors have their place and Astro's images are collected.
 * @param settle Is given each page that was rendered; its key only where it came in a parcel.
 * @returns Parcels of which not all was rendered.
 */
export async function renderInCrew(
  { files, parcels = [] }: { files: readonly string[]; parcels: readonly Parcel[] | undefined },
  size: number,
  task: CrewTask,
  settle: (file: string, page: RenderedPage, cacheKey: string | undefined) => void,
): Promise<Parcel[]> {
  const file = new URL('./crew-worker.ts', import.meta.url);
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  const chunks = inBatches(files, FILES_AT_ONCE);
  const named = Array.from({ length: Math.ceil(files.length / FILES_AT_ONCE) }, () => ({ files: chunks() }));
  const missing = new Set(parcels.keys());
  collectGarbage();
  await feedThreads<CrewOrder, CrewAnswer>({
    size,
    start: (number) => new Worker(file, { workerData: { task, number }, resourceLimits }),
    take: inBatches([...named, ...parcels.map((parcel, number) => ({ parcel, number }))], 1),
    settle: ({ rendered, delivered }) => {
      for (const [name, page, cacheKey] of rendered) settle(name, page, cacheKey);
      if (delivered !== undefined) missing.delete(delivered);
    },
  })
    // What ends a thread shows again where its pages are rendered after all.
    .catch(() => undefined);
  return [...missing].flatMap((number) => parcels[number] ?? []);
}
