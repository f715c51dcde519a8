import { messageOf } from '#contracts/index.ts';
import {
  type CrewTask,
  type CrewAnswer,
  type CrewMember,
  type CrewOrder,
  crewSize,
  type Parcel,
} from './render-job.ts';
import type { Worker } from 'node:worker_threads';
import { collectGarbage, startThread } from '#workers/worker-thread.ts';
import { cutList, feedThreads, inBatches } from '#workers/worker-pool.ts';
import type { PagePath, SettlePage, UpdatePagesOptions } from './update-pages.ts';

export interface CrewWork {
  /** How many threads somebody has asked for. */
  threads: number | undefined;
  /** Where all product pages come in parcels, and not by their files. */
  parcels?: readonly Parcel[] | undefined;
  /** Is told of a thread that has failed. */
  warn: (message: string) => void;
  /** Finds the pages of parcels of which a thread has not rendered all. */
  unpack?: (left: readonly Parcel[]) => Promise<readonly PagePath[]>;
}
const FILES_AT_ONCE = 50;

/** For `updatePages`: renders on several threads where that pays. */
export function renderMany(
  task: CrewTask,
  { threads, parcels, warn, unpack }: CrewWork,
): NonNullable<UpdatePagesOptions['renderMany']> {
  return async (files, settle) => {
    const size = crewSize(parcels ? Infinity : files.length, threads);
    if (size === 0) return [];
    const left = await renderInCrew(files, parcels, size, { task, settle, warn });
    return left.length > 0 && unpack ? unpack(left) : [];
  };
}

/**
 * Renders and writes files on several threads. What a thread could not render is not settled: render it here, where
 * errors have their place and Astro's images are collected.
 * @returns Parcels of which not all was rendered.
 */
async function renderInCrew(
  files: readonly string[],
  parcels: readonly Parcel[] | undefined,
  size: number,
  { task, settle, warn }: Pick<CrewWork, 'warn'> & { task: CrewTask; settle: SettlePage },
): Promise<Parcel[]> {
  const file = new URL('./render-worker.ts', import.meta.url);
  const start = (number: number): Worker => {
    const workerData: CrewMember = { task, number, inParcels: parcels !== undefined };
    return startThread(file, workerData);
  };
  const orders: CrewOrder[] = [
    ...cutList(files, FILES_AT_ONCE).map((some) => ({ files: some })),
    ...(parcels ?? []).map((parcel, number) => ({ parcel, number })),
  ];
  const missing = new Map(parcels?.entries());
  collectGarbage();
  await feedThreads<CrewOrder, CrewAnswer>({
    size,
    start,
    take: inBatches(orders, 1),
    settle: ({ rendered, delivered }) => {
      for (const [name, page, cacheKey] of rendered) settle(name, page, cacheKey);
      if (delivered !== undefined) missing.delete(delivered);
    },
  })
    // Its pages are rendered here after all, where their errors have a place.
    .catch((error: unknown) =>
      warn(`A rendering thread failed: ${messageOf(error)}. Its pages are rendered without it.`),
    );
  return [...missing.values()];
}
