import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';

/** What was read: each question, as text, and what names its answer. */
export type Reads = Map<string, string>;

/** The digest of an entry or a row, where it has one that names all that pages can show of it. */
export type DigestOf = (value: object) => string | undefined;

interface Recording {
  reads: Reads;
  digestOf: DigestOf;
}

const recordings = new AsyncLocalStorage<Recording | undefined>();

/** Notes all that is read while something runs. */
export function recordReads<T>(digestOf: DigestOf, run: () => T): { result: T; reads: Reads } {
  const reads: Reads = new Map();
  return { result: recordings.run({ reads, digestOf }, run), reads };
}

type Question = (source: never, ...args: never[]) => unknown;

const questions = new Map<string, Question>();

/**
 * A question that pages ask: its answer is noted as what they read, and nothing of what it reads itself. A page is
 * rendered again when the answer is another one, so answer no more than pages show. Arguments and answer are plain data.
 */
export function question<Source, Args extends readonly unknown[], Answer>(
  name: string,
  ask: (source: Source, ...args: Args) => Answer,
): (source: Source, ...args: Args) => Answer {
  questions.set(name, ask as unknown as Question);
  return (source, ...args) => noteAnswer(name, args, () => ask(source, ...args));
}

/** Answers a question and notes it, where somebody records. */
export function noteAnswer<Answer>(name: string, args: readonly unknown[], answer: () => Answer): Answer {
  const recording = recordings.getStore();
  if (!recording) return answer();
  const given = recordings.run(undefined, answer);
  const read = wordRead(name, args);
  if (!recording.reads.has(read)) recording.reads.set(read, digestAnswer(given, recording.digestOf));
  return given;
}

/** The same of what is read in another way: asks for the answer only where somebody records. */
export function noteRead(name: string, args: readonly unknown[], answer: () => unknown): void {
  if (recordings.getStore()) noteAnswer(name, args, answer);
}

/** Among what was read: something of which nobody knows what it reads. */
export const UNKNOWN = 'unknown';

/** Notes that nobody knows what is read: whatever it is, it is read again in the next build. */
export function noteUnknown(): void {
  recordings.getStore()?.reads.set(UNKNOWN, '');
}

/** Notes what was read for something that serves more than one page. */
export function noteAgain(reads: Reads): void {
  const recording = recordings.getStore();
  for (const [read, digest] of recording ? reads : []) recording?.reads.set(read, digest);
}

/** Records what is read to make something that serves more than one page: note it for each of them. */
export function recordShared<T>(make: () => T): { result: T; reads: Reads } {
  return recordReads(recordings.getStore()?.digestOf ?? (() => undefined), make);
}

function wordRead(name: string, args: readonly unknown[]): string {
  return `${name} ${JSON.stringify(args)}`;
}

/** What names the answer now; undefined for a question that nobody asks any more. */
export function answerAgain(source: object, read: string, digestOf: DigestOf): string | undefined {
  const at = read.indexOf(' ');
  const ask = questions.get(read.slice(0, at));
  if (!ask) return undefined;
  const args = JSON.parse(read.slice(at + 1)) as never[];
  return digestAnswer(ask(source as never, ...args), digestOf);
}

/** Answers that are asked for again and again are the same lists. */
const known = new WeakMap<object, string>();

function digestAnswer(answer: unknown, digestOf: DigestOf): string {
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer) ?? '';
  const digest = digestOf(answer) ?? known.get(answer);
  if (digest !== undefined) return digest;
  const text = JSON.stringify(answer, (_, value: unknown) => describeValue(value, digestOf));
  const made = hash('sha1', text, 'base64url');
  if (Array.isArray(answer)) known.set(answer, made);
  return made;
}

function describeValue(value: unknown, digestOf: DigestOf): unknown {
  if (typeof value === 'function') throw new TypeError('An answer to pages holds a function, which has no digest.');
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Set || value instanceof Map) return [...value];
  return digestOf(value) ?? value;
}
