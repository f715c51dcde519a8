import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { BackgroundWork } from '#origin/platform/namespace/namespace-module.ts';
import { describeError } from '#origin/platform/store/describe-error.ts';
import { claimJob, releaseJobs, workOnJob } from './work-on-job.ts';

/** How long a job that another process has written down, or left, may go unnoticed. */
const PAUSE_MS = 15_000;

/** What ends the pause of this process. */
const wakers = new WeakMap<OriginContext, () => void>();

/** Says that there is a new job. */
export function wakeJobs(context: OriginContext): void {
  wakers.get(context)?.();
}

/**
 * Works on jobs beside the requests, one at a time, for as long as the origin runs: on what a process that ended has
 * left, too. Over the embedded store nobody else is at work, so that is gone on with at once.
 */
export async function startJobs(context: OriginContext): Promise<BackgroundWork> {
  const { db, engine } = context.store;
  const me = randomUUID();
  const stop = new AbortController();
  const { signal } = stop;
  if (engine === 'pglite') await releaseJobs(db, 'by anybody');

  const run = async () => {
    while (!signal.aborted) {
      const woken = new AbortController();
      let ends = AbortSignal.any([signal, woken.signal]);
      wakers.set(context, () => woken.abort());
      try {
        for (;;) {
          const job = signal.aborted ? undefined : await claimJob(db, me);
          if (!job) break;
          await workOnJob(context, job, signal);
        }
      } catch (error) {
        await releaseJobs(db, { by: me }).catch(() => undefined);
        context.log(`Work on pictures waits: ${describeError(error)}`);
        // A new job does not help where the store is away.
        ends = signal;
      }
      await setTimeout(PAUSE_MS, undefined, { signal: ends, ref: false }).catch(() => undefined);
    }
    await releaseJobs(db, { by: me }).catch(() => undefined);
  };
  const ended = run();
  return {
    async stop() {
      stop.abort();
      await ended;
    },
  };
}
