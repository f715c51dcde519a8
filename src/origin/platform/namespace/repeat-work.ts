import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { describeFault } from '#origin/platform/store/describe-fault.ts';
import type { BackgroundWork } from './namespace-module.ts';

interface RepeatedWork {
  /** Does what there is to do. @returns how many milliseconds to wait until the next time. */
  work(isStopped: () => boolean): Promise<number>;
  /** What the log says of a failure, before its reason. */
  problem: string;
  /** How many milliseconds to wait after a failure. */
  failurePauseMs: number;
}

/** Works at once and then again and again, for as long as the origin runs. Failures are logged. */
export function repeatWork({ log }: Pick<OriginContext, 'log'>, repeated: RepeatedWork): BackgroundWork {
  const { work, problem, failurePauseMs } = repeated;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const turn = async (): Promise<void> => {
    const pauseMs = await work(() => isStopped).catch((error: unknown) => {
      log(`${problem}: ${describeFault(error)}`);
      return failurePauseMs;
    });
    if (isStopped) return;
    timer = setTimeout(() => void (running = turn()), pauseMs);
    timer.unref();
  };
  let running = turn();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
