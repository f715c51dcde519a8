import { setImmediate } from 'node:timers/promises';
import { JobThread } from './job-thread.ts';
import { runJob, type TEXT_JOBS, type TextJob } from './text-jobs.ts';

type Args<J extends TextJob> = Parameters<(typeof TEXT_JOBS)[J]>;
type Result<J extends TextJob> = ReturnType<(typeof TEXT_JOBS)[J]>;

/** Shorter texts are processed in this thread, as the transfer would take longer. */
const MAX_INLINE_LENGTH = 8 * 1024;
/** The limit for footnotes, which are filtered one by one. */
const MAX_INLINE_FOOTNOTES_LENGTH = 512;
/** Processed characters after which other requests run. */
const TURN_LENGTH = 32 * 1024;
let lettersInTurn = 0;

/** Jobs whose results are requested repeatedly and cached. */
const CACHED_JOBS: ReadonlySet<TextJob> = new Set(['content', 'excerpt', 'paragraphs']);

/** Maximum number of characters in the cache, both sources and results. */
const MAX_CACHED_LENGTH = 2_000_000;

interface SourceEntry {
  texts: Map<string, unknown>;
  letters: number;
}

/**
 * Cached results of short texts, by their longest argument, least recently used first.
 *
 * Within an entry they are keyed by job and remaining arguments, so that the long text is hashed once.
 */
const cache = new Map<string, SourceEntry>();
let cachedLength = 0;

function runInline(job: TextJob, args: readonly unknown[]): unknown {
  const isCacheable = CACHED_JOBS.has(job) && args.every((arg) => !(arg instanceof Map) || arg.size === 0);
  if (!isCacheable) return runJob(job, args);
  let source = '';
  for (const arg of args) if (typeof arg === 'string' && arg.length > source.length) source = arg;
  let key: string = job;
  for (const arg of args) {
    if (arg === source) key += ' ';
    // The length prevents collisions of concatenated arguments.
    else key += typeof arg === 'string' ? ` ${arg.length} ${arg}` : ` ${String(arg)}`;
  }
  const entry = cache.get(source) ?? { texts: new Map<string, unknown>(), letters: 0 };
  cache.delete(source);
  cache.set(source, entry);
  const cached = entry.texts.get(key);
  if (cached !== undefined) return cached;
  const text = runJob(job, args);
  entry.texts.set(key, text);
  const letters = (entry.letters === 0 ? source.length : 0) + key.length + String(text).length;
  entry.letters += letters;
  cachedLength += letters;
  for (const [oldest, { letters: freed }] of cache) {
    if (cachedLength <= MAX_CACHED_LENGTH) break;
    cache.delete(oldest);
    cachedLength -= freed;
  }
  return text;
}

/**
 * Renders or filters a text without blocking other requests: long texts in a worker thread, short ones here, with
 * other requests in between.
 */
export async function runTextJob<J extends TextJob>(job: J, ...args: Args<J>): Promise<Result<J>> {
  const letters = args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0);
  if (letters > (job === 'footnotes' ? MAX_INLINE_FOOTNOTES_LENGTH : MAX_INLINE_LENGTH))
    return (await thread.run(job, args)) as Result<J>;
  lettersInTurn += letters;
  if (lettersInTurn > TURN_LENGTH) {
    lettersInTurn = 0;
    await setImmediate();
  }
  return runInline(job, args) as Result<J>;
}

const thread = new JobThread(new URL('./text-worker.ts', import.meta.url));
