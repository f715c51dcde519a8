import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PreviewCard } from '../../catalogue/preview-card.ts';
import { keepPreview, previewFile } from './preview-cache.ts';
import type { PreviewPlace } from './preview-place.ts';

/** A card that has to be drawn. */
export interface PreviewOrder {
  path: string;
  /** Where its drawing is kept. */
  file: string;
  card: PreviewCard;
  original: string | undefined;
}

export interface ProducePreviewsOptions {
  places: readonly PreviewPlace[];
  findCard: (place: PreviewPlace) => PreviewCard | undefined;
  findOriginal: (digest: string) => string | undefined;
  imagesFolder: string;
  distFolder: string;
  onProgress?: (done: number, total: number) => void;
}

export interface ProducedPreviews {
  /** How many were drawn; the others had been drawn before. */
  made: number;
  failed: { path: string; reason: string }[];
}

/** A thread takes as long to start as to draw this many. */
const CARDS_WORTH_A_THREAD = 40;
const CARDS_AT_ONCE = 8;

/** Puts the previews that pages refer to into `dist`, drawing on all cores only what was never drawn. */
export async function producePreviews(options: ProducePreviewsOptions): Promise<ProducedPreviews> {
  const { places, findCard, findOriginal, imagesFolder, distFolder, onProgress } = options;
  const failed: ProducedPreviews['failed'] = [];
  const orders: PreviewOrder[] = [];
  for (const place of places) {
    const file = previewFile(imagesFolder, place.path);
    if (existsSync(file)) continue;
    const card = findCard(place);
    const original = card?.picture === undefined ? undefined : findOriginal(card.picture);
    if (!card) failed.push({ path: place.path, reason: 'what it was to show is no longer in the snapshot' });
    else if (card.picture !== undefined && original === undefined)
      failed.push({ path: place.path, reason: 'the original of its picture is not in the snapshot' });
    else orders.push({ path: place.path, file, card, original });
  }
  let done = 0;
  const size = Math.min(availableParallelism(), Math.floor(orders.length / CARDS_WORTH_A_THREAD));
  await drawAll(orders, size, (order, reason) => {
    if (reason !== undefined) failed.push({ path: order, reason });
    onProgress?.(++done, orders.length);
  });
  const isLost = new Set(failed.map((failure) => failure.path));
  for (const { path: place } of places) {
    if (isLost.has(place)) continue;
    const target = path.join(distFolder, place);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(previewFile(imagesFolder, place), target, constants.COPYFILE_FICLONE);
  }
  failed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    made: orders.length - failed.filter(({ path: place }) => orders.some((order) => order.path === place)).length,
    failed,
  };
}

/** @param size Threads; with less than two it is done here. @param settle Is told of each, and what went wrong. */
async function drawAll(
  orders: readonly PreviewOrder[],
  size: number,
  settle: (path: string, reason?: string) => void,
): Promise<void> {
  if (size < 2) {
    for (const { path: place, file, card, original } of orders) {
      await keepPreview(file, card, original).then(
        () => settle(place),
        (error: unknown) => settle(place, error instanceof Error ? error.message : String(error)),
      );
    }
    return;
  }
  let next = 0;
  const work = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      worker.on('message', (done: { path: string; reason?: string }[]) => {
        for (const { path: place, reason } of done) settle(place, reason);
        const batch = orders.slice(next, (next += CARDS_AT_ONCE));
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        if (batch.length > 0) worker.postMessage(batch);
        else void worker.terminate();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
    });
  const file = new URL('./preview-worker.ts', import.meta.url);
  await Promise.all(Array.from({ length: size }, () => work(new Worker(file))));
}
