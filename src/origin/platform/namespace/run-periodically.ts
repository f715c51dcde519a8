import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { describeError } from '#origin/platform/store/describe-error.ts';
import type { BackgroundWork } from './namespace-module.ts';

interface PeriodicWork {
  /** Runs once. @returns milliseconds until the next run */
  work(isStopped: () => boolean): Promise<number>;
  /** Log message for failures, followed by the reason. */
  problem: string;
  /** Milliseconds until the next run after a failure. */
  failurePauseMs: number;
}

/** Runs work immediately and then repeatedly until stopped. Failures are logged. */
export function runPeriodically({ log }: Pick<OriginContext, 'log'>, periodic: PeriodicWork): BackgroundWork {
  const { work, problem, failurePauseMs } = periodic;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const runOnce = async (): Promise<void> => {
    const pauseMs = await work(() => isStopped).catch((error: unknown) => {
      log(`${problem}: ${describeError(error)}`);
      return failurePauseMs;
    });
    if (isStopped) return;
    timer = setTimeout(() => void (running = runOnce()), pauseMs);
    timer.unref();
  };
  let running = runOnce();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
