import { messageOf } from '#contracts/index.ts';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { Settings } from '#config/index.ts';
import { startThread } from '#workers/worker-thread.ts';

/** Brings the product index up to date while Astro's process makes the bundle: whoever opens it then finds it so. */
export interface UpdateInWorker {
  start(): void;
  /** Waits until it is done. That it has failed is for the one who opens the product index to find, and to say why. */
  finish(): Promise<void>;
  /** Gives it up; the product index is as it was then. */
  stop(): Promise<void>;
}

/** Of a snapshot of two thousand products. One of fewer is listed in the time that a thread takes to start. */
const BYTES_WORTH_A_THREAD = 8_000_000;

/**
 * @param warn Is told why the product index is not made in time: the build makes it later then.
 * @param worth Bytes of a snapshot for which a thread pays.
 */
export function updateInWorker(
  settings: Settings,
  warn: (message: string) => void,
  worth = BYTES_WORTH_A_THREAD,
): UpdateInWorker {
  let worker: Worker | undefined;
  let ended: Promise<unknown> | undefined;
  const fail = (error: unknown): void =>
    warn(`Updating the product index in a worker failed; the build updates it itself: ${messageOf(error)}`);
  return {
    start: () => {
      try {
        const size = statSync(settings.snapshotPath, { throwIfNoEntry: false })?.size ?? 0;
        if (size < worth) return;
        worker = startThread(new URL('./update-worker.ts', import.meta.url), settings);
        ended = once(worker, 'exit').catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    finish: async () => void (await ended),
    stop: async () => void (await worker?.terminate()),
  };
}
