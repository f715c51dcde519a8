import { setImmediate } from 'node:timers/promises';
import { JobThread } from './job-thread.ts';
import { runJob, type TEXT_JOBS, type TextJob } from './text-jobs.ts';

type Args<J extends TextJob> = Parameters<(typeof TEXT_JOBS)[J]>;
type Result<J extends TextJob> = ReturnType<(typeof TEXT_JOBS)[J]>;

/** Shorter texts are done here: handing them over takes longer. */
const SHORT = 8 * 1024;
/** The same of footnotes: each of them is filtered as a text of its own, however short it is. */
const SHORT_LIST = 512;
/** Letters after which other requests get their turn. */
const TURN = 32 * 1024;
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
  if (letters > (job === 'footnotes' ? SHORT_LIST : SHORT)) return (await thread.run(job, args)) as Result<J>;
  lettersInTurn += letters;
  if (lettersInTurn > TURN) {
    lettersInTurn = 0;
    await setImmediate();
  }
  return runShort(job, args) as Result<J>;
}

const thread = new JobThread(new URL('./text-worker.ts', import.meta.url));
