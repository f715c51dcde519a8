import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { BackgroundWork } from '#origin/platform/namespace/namespace-module.ts';
import { describeError } from '#origin/platform/store/describe-error.ts';
import { claimJob, releaseJobs, runThumbnailJob } from './run-thumbnail-job.ts';

/** Maximum time between polls, for jobs that other processes created or abandoned. */
const PAUSE_MS = 15_000;

/** Functions that end the pause of a worker, by context. */
const wakers = new WeakMap<OriginContext, () => void>();

/** Wakes the worker of this process, if it is idle. */
export function wakeJobs(context: OriginContext): void {
  wakers.get(context)?.();
}

/**
 * Starts a background worker that runs one job at a time until it is stopped. It also resumes abandoned jobs of other
 * processes. With the embedded store there are no other processes, so it resumes them immediately.
 */
export async function startJobs(context: OriginContext): Promise<BackgroundWork> {
  const { db, engine } = context.store;
  const workerId = randomUUID();
  const stop = new AbortController();
  const { signal } = stop;
  if (engine === 'pglite') await releaseJobs(db, 'by anybody');

  const run = async () => {
    while (!signal.aborted) {
      const wake = new AbortController();
      let pauseSignal = AbortSignal.any([signal, wake.signal]);
      wakers.set(context, () => wake.abort());
      try {
        for (;;) {
          const job = signal.aborted ? undefined : await claimJob(db, workerId);
          if (!job) break;
          await runThumbnailJob(context, job, signal);
        }
      } catch (error) {
        await releaseJobs(db, { by: workerId }).catch(() => undefined);
        context.log(`Thumbnail jobs failed, retrying later: ${describeError(error)}`);
        // While the store is unavailable, new jobs don't shorten the pause.
        pauseSignal = signal;
      }
      await setTimeout(PAUSE_MS, undefined, { signal: pauseSignal, ref: false }).catch(() => undefined);
    }
    await releaseJobs(db, { by: workerId }).catch(() => undefined);
  };
  const ended = run();
  return {
    async stop() {
      stop.abort();
      await ended;
    },
  };
}
