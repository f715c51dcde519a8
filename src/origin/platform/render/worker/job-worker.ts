import { parentPort, workerData } from 'node:worker_threads';
import { getErrorMessage } from '#contracts/sortiment-error.ts';

export interface JobRequest {
  id: number;
  job: string;
  args: readonly unknown[];
}

export type JobReply = { id: number; result: unknown } | { id: number; error: string };

/** Entry point of the threads of `JobThread`. */
const { runJob } = (await import(String(workerData))) as { runJob(job: string, args: readonly unknown[]): unknown };

parentPort?.on('message', ({ id, job, args }: JobRequest) => {
  try {
    const result = runJob(job, args);
    // Binary results are transferred, not copied.
    reply({ id, result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
  } catch (error) {
    reply({ id, error: getErrorMessage(error) });
  }
});

function reply(message: JobReply, transferred: ArrayBuffer[] = []): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message, transferred);
}
