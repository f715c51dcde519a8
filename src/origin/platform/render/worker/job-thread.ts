import { Worker } from 'node:worker_threads';
import type { JobReply, JobRequest } from './job-worker.ts';

/** Idle time after which the thread is stopped. */
const IDLE_MS = 30_000;

/**
 * A thread that runs jobs one at a time, so that long ones don't block other requests.
 *
 * It starts on demand and doesn't prevent the process from exiting. Its module exports `runJob`.
 */
export class JobThread {
  readonly #module: string;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();

  /** @param module address of the module with the jobs */
  constructor(module: string) {
    this.#module = module;
  }

  /** Runs a job with copies of its arguments. @throws Error with the message of the job's error */
  run(job: string, args: readonly unknown[]): Promise<unknown> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(id, reply);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, job, args } satisfies JobRequest);
    return reply.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./job-worker.ts', import.meta.url), { execArgv: [], workerData: this.#module });
    worker.on('message', (reply: JobReply) => this.#resolveJob(reply));
    worker.on('error', (error: Error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, new Error('The worker thread for long jobs has exited.')));
    return worker;
  }

  #resolveJob(reply: JobReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.result);
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#stop(), IDLE_MS).unref();
  }

  /** Clears the worker before terminating it, as a job sent to a terminating worker gets no reply. */
  #stop(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  #end(worker: Worker, reason: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }
}
