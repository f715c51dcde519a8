import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { runJob, type TEXT_JOBS, type TextJob, type TextReply, type TextRequest } from './text-jobs.ts';

type Args<J extends TextJob> = Parameters<(typeof TEXT_JOBS)[J]>;
type Result<J extends TextJob> = ReturnType<(typeof TEXT_JOBS)[J]>;

/** Shorter texts are done here: handing them over takes longer. */
const SHORT = 8 * 1024;
/** The same of footnotes: each of them is filtered as a text of its own, however short it is. */
const SHORT_LIST = 512;
/** Letters after which other requests get their turn. */
const TURN = 32 * 1024;
/** A thread that nothing was asked of for so long ends. */
const IDLE_MS = 30_000;

let lettersInTurn = 0;

/** Texts that are shown each time that what they are made of is asked for. */
const SHOWN: ReadonlySet<TextJob> = new Set(['content', 'excerpt', 'paragraphs']);

/** Letters of short texts and of what they are made of. */
const MAX_KEPT = 2_000_000;

interface MadeOf {
  texts: Map<string, unknown>;
  letters: number;
}

/**
 * Short texts by the longest text that they are made of, the one that wasn't asked for longest first; then by their job
 * and what else they are made of. The long one is read once for all of them.
 */
const kept = new Map<string, MadeOf>();
let keptLetters = 0;

function runShort(job: TextJob, args: readonly unknown[]): unknown {
  const isKept = SHOWN.has(job) && args.every((arg) => !(arg instanceof Map) || arg.size === 0);
  if (!isKept) return runJob(job, args);
  let source = '';
  for (const arg of args) if (typeof arg === 'string' && arg.length > source.length) source = arg;
  let key: string = job;
  for (const arg of args) {
    if (arg === source) key += ' ';
    // With its length, no text can be taken for two.
    else key += typeof arg === 'string' ? ` ${arg.length} ${arg}` : ` ${String(arg)}`;
  }
  const made = kept.get(source) ?? { texts: new Map<string, unknown>(), letters: 0 };
  kept.delete(source);
  kept.set(source, made);
  const known = made.texts.get(key);
  if (known !== undefined) return known;
  const text = runJob(job, args);
  made.texts.set(key, text);
  const letters = (made.letters === 0 ? source.length : 0) + key.length + String(text).length;
  made.letters += letters;
  keptLetters += letters;
  for (const [oldest, { letters: freed }] of kept) {
    if (keptLetters <= MAX_KEPT) break;
    kept.delete(oldest);
    keptLetters -= freed;
  }
  return text;
}

/**
 * Renders or filters a text without keeping others waiting: a long one in a thread of its own, short ones here with
 * turns of other requests between them.
 */
export async function runAside<J extends TextJob>(job: J, ...args: Args<J>): Promise<Result<J>> {
  const letters = args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0);
  if (letters > (job === 'footnotes' ? SHORT_LIST : SHORT)) return (await thread.ask(job, args)) as Result<J>;
  lettersInTurn += letters;
  if (lettersInTurn > TURN) {
    lettersInTurn = 0;
    await setImmediate();
  }
  return runShort(job, args) as Result<J>;
}

/** One thread for all: it is started when it is needed, and doesn't keep the process from ending. */
class TextThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();

  ask(job: TextJob, args: readonly unknown[]): Promise<unknown> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, job, args } satisfies TextRequest);
    return answer.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./text-worker.ts', import.meta.url), { execArgv: [] });
    worker.on('message', (reply: TextReply) => this.#take(reply));
    worker.on('error', (error: Error) => this.#end(worker, error));
    worker.on('exit', () => this.#end(worker, new Error('The thread for texts has ended.')));
    return worker;
  }

  #take(reply: TextReply): void {
    const answer = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('error' in reply) answer?.reject(new Error(reply.error));
    else answer?.resolve(reply.result);
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idle = setTimeout(() => this.#forget(), IDLE_MS).unref();
  }

  /** Forgotten before it ends: a text that is handed to a thread that is ending gets no answer. */
  #forget(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }

  #end(worker: Worker, reason: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const answer of this.#waiting.values()) answer.reject(reason);
    this.#waiting.clear();
  }
}

const thread = new TextThread();
