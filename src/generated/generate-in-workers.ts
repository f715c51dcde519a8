import { getErrorMessage } from '#contracts/index.ts';
import type { GeneratorResult, GeneratorTask } from './generator-task.ts';
import { collectGarbage, startThread } from '#workers/worker-thread.ts';
import { runThreads, batchSource } from '#workers/worker-pool.ts';
import { LARGE_GENERATORS } from './generators.ts';

/**
 * Runs the large generators from scratch on several threads. A generator that fails in a thread has no result and runs
 * in the main thread, which reports its error.
 */
export async function generateInWorkers(
  size: number,
  task: GeneratorTask,
  onResult: (result: GeneratorResult) => void,
  warn: (message: string) => void,
): Promise<void> {
  const file = new URL('./generator-worker.ts', import.meta.url);
  const names = LARGE_GENERATORS.map(({ name }) => name);
  collectGarbage();
  await runThreads<string, GeneratorResult>({
    size: Math.min(size, names.length),
    start: (number) => startThread(file, { task, number }),
    take: batchSource(names, 1),
    onResult: (made) => {
      for (const warning of made.warnings) warn(warning);
      onResult(made);
    },
  }).catch((error: unknown) =>
    warn(`A worker failed (${getErrorMessage(error)}). Its files are generated in the main thread.`),
  );
}
