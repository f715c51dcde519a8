import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';

/**
 * What an answer is made of: a collection, by its name; `lists`, what others show of products: names, values, documents,
 * how many there are; `products`, what their own pages show besides, such as a price or a long text.
 */
export type Source = 'lists' | CollectionName;

type CollectionName = string & {};

/** What was read: each question, as text, and what names its answer. */
export type Reads = Map<string, string>;

/** The digest of an entry or a row, where it has one that names all that pages can show of it. */
export type DigestOf = (value: object) => string | undefined;

interface Recording {
  reads: Reads;
  digestOf: DigestOf;
}

/** While a question is answered: what it says that its answer is made of. */
interface Answering {
  question: string;
  sources: readonly Source[];
}

const recordings = new AsyncLocalStorage<Recording>();

/** What is answered now: an answer is there at once. */
let answering: Answering | undefined;

/** Notes all that is read while something runs. */
export function recordReads<T>(digestOf: DigestOf, run: () => T): { result: T; reads: Reads } {
  const reads: Reads = new Map();
  return { result: recordings.run({ reads, digestOf }, run), reads };
}

interface Question {
  ask: (site: never, ...args: never[]) => unknown;
  sources: (args: readonly unknown[]) => readonly Source[];
}

const questions = new Map<string, Question>();

/**
 * A question that pages ask: its answer is noted as what they read, and nothing of what it reads itself. A page is
 * rendered again when the answer is another one, so answer no more than pages show. Arguments and answer are plain data.
 * @param sources What the answer is made of: a build asks again when one of them has changed. An answer that reads
 *   something else is an error.
 */
export function question<Site, Args extends readonly unknown[], Answer>(
  name: string,
  sources: readonly Source[] | ((...args: Args) => readonly Source[]),
  ask: (site: Site, ...args: Args) => Answer,
): (site: Site, ...args: Args) => Answer {
  const sourcesOf = typeof sources === 'function' ? sources : () => sources;
  questions.set(name, {
    ask: ask as unknown as Question['ask'],
    sources: (args) => sourcesOf(...(args as Args)),
  });
  return (site, ...args) => noteAnswer(name, args, () => ask(site, ...args));
}

/** What the answer to something that was read is made of; undefined for a question that nobody asks any more. */
export function sourcesOf(read: string): readonly Source[] | undefined {
  const { name, args } = parseRead(read);
  return questions.get(name)?.sources(args);
}

/** Answers a question and notes it, where somebody records. */
export function noteAnswer<Answer>(name: string, args: readonly unknown[], answer: () => Answer): Answer {
  const recording = recordings.getStore();
  if (!recording) return answer();
  const sources = questions.get(name)?.sources(args) ?? [];
  if (answering) {
    const { question: asked, sources: named } = answering;
    const unnamed = sources.filter((source) => !named.includes(source));
    if (unnamed.length === 0) return answer();
    throw new Error(`The question ${asked} reads ${unnamed.join(', ')}, which its sources don't name.`);
  }
  answering = { question: name, sources };
  try {
    const given = answer();
    const read = wordRead(name, args);
    if (!recording.reads.has(read)) recording.reads.set(read, digestAnswer(given, recording.digestOf));
    return given;
  } finally {
    answering = undefined;
  }
}

/** The same of what is read in another way: asks for the answer only where somebody records. */
export function noteRead(name: string, args: readonly unknown[], answer: () => unknown): void {
  if (recordings.getStore()) noteAnswer(name, args, answer);
}

/** Among what was read: something of which nobody knows what it reads. */
export const UNKNOWN = 'unknown';

/** Notes that nobody knows what is read: whatever it is, it is read again in the next build. */
export function noteUnknown(): void {
  recorded()?.reads.set(UNKNOWN, '');
}

/** Notes what was read for something that serves more than one page. */
export function noteAgain(reads: Reads): void {
  const recording = recorded();
  for (const [read, digest] of recording ? reads : []) recording?.reads.set(read, digest);
}

/** Records what is read to make something that serves more than one page: note it for each of them. */
export function recordShared<T>(make: () => T): { result: T; reads: Reads } {
  return recordReads(recorded()?.digestOf ?? (() => undefined), make);
}

function recorded(): Recording | undefined {
  return answering ? undefined : recordings.getStore();
}

function wordRead(name: string, args: readonly unknown[]): string {
  return `${name} ${JSON.stringify(args)}`;
}

/** What names the answer now; undefined for a question that nobody asks any more. */
export function answerAgain(site: object, read: string, digestOf: DigestOf): string | undefined {
  const { name, args } = parseRead(read);
  const known = questions.get(name);
  return known && digestAnswer(known.ask(site as never, ...args), digestOf);
}

function parseRead(read: string): { name: string; args: never[] } {
  const at = read.indexOf(' ');
  if (at === -1) return { name: read, args: [] };
  return { name: read.slice(0, at), args: JSON.parse(read.slice(at + 1)) as never[] };
}

/** Answers that are asked for again and again are the same lists. */
const digests = new WeakMap<object, string>();

function digestAnswer(answer: unknown, digestOf: DigestOf): string {
  if (typeof answer !== 'object' || answer === null) return JSON.stringify(answer) ?? '';
  const digest = digestOf(answer) ?? digests.get(answer);
  if (digest !== undefined) return digest;
  if (answer instanceof Promise)
    throw new TypeError('An answer to pages is a promise: have it before it is asked for.');
  const text = Array.isArray(answer)
    ? answer.map((value) => wordValue(value, digestOf)).join()
    : wordValue(answer, digestOf);
  const made = text.length > SHORT ? hash('sha1', text, 'base64url') : text;
  if (Array.isArray(answer)) digests.set(answer, made);
  return made;
}

/** So long is a digest. */
const SHORT = 40;

function wordValue(value: unknown, digestOf: DigestOf): string {
  const digest = typeof value === 'object' && value !== null ? digestOf(value) : undefined;
  return digest ?? JSON.stringify(value, (_, part: unknown) => describeValue(part, digestOf)) ?? '';
}

function describeValue(value: unknown, digestOf: DigestOf): unknown {
  if (typeof value === 'function') throw new TypeError('An answer to pages holds a function, which has no digest.');
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Set || value instanceof Map) return [...value];
  return digestOf(value) ?? value;
}
