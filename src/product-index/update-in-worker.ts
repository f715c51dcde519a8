import { getErrorMessage } from '#contracts/index.ts';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { Settings } from '#config/index.ts';
import { startThread } from '#workers/worker-thread.ts';

/** Updates the product index in a worker thread while Astro bundles. */
export interface UpdateInWorker {
  start(): void;
  /** Waits for the end of the update. Errors are only logged, because opening the product index repeats the update. */
  finish(): Promise<void>;
  /** Stops the update. The product index is then unchanged. */
  stop(): Promise<void>;
}

/** Size of a snapshot with two thousand products. Below it, starting a thread takes longer than the update. */
const MIN_SNAPSHOT_BYTES = 8_000_000;

/**
 * Creates the updater.
 * @param warn Called if the update fails; the build then updates the index itself.
 * @param worth Minimum snapshot size in bytes for using a thread.
 */
export function updateInWorker(
  settings: Settings,
  warn: (message: string) => void,
  minBytes = MIN_SNAPSHOT_BYTES,
): UpdateInWorker {
  let worker: Worker | undefined;
  let exit: Promise<unknown> | undefined;
  const fail = (error: unknown): void =>
    warn(`Updating the product index in a worker failed; the build updates it itself: ${getErrorMessage(error)}`);
  return {
    start: () => {
      try {
        const size = statSync(settings.snapshotPath, { throwIfNoEntry: false })?.size ?? 0;
        if (size < minBytes) return;
        worker = startThread(new URL('./update-worker.ts', import.meta.url), settings);
        exit = once(worker, 'exit').catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    finish: async () => void (await exit),
    stop: async () => void (await worker?.terminate()),
  };
}
