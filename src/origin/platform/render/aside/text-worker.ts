import { parentPort } from 'node:worker_threads';
import { messageOf } from '#contracts/port-error.ts';
import { runJob, type TextReply, type TextRequest } from './text-jobs.ts';

/** The thread that works on large texts, one after the other. `run-aside.ts` starts it. */
parentPort?.on('message', ({ id, job, args }: TextRequest) => {
  try {
    reply({ id, result: runJob(job, args) });
  } catch (error) {
    reply({ id, error: messageOf(error) });
  }
});

function reply(message: TextReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
