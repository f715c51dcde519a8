import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import { keepPreview } from './preview-cache.ts';
import type { PreviewOrder } from './produce-previews.ts';

/** A thread that draws: is sent orders, and answers each batch with what went wrong, by the path. */
sharp.concurrency(1);
parentPort?.on('message', (orders: PreviewOrder[]) => void drawAll(orders));
// Asks for its first orders.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage([]);

async function drawAll(orders: readonly PreviewOrder[]): Promise<void> {
  const done: { path: string; reason?: string }[] = [];
  for (const { path, file, card, original } of orders) {
    try {
      await keepPreview(file, card, original);
      done.push({ path });
    } catch (error) {
      done.push({ path, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(done);
}
