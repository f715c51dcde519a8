import { hash } from 'node:crypto';
import { UNKNOWN, type Reads, type Source } from '#catalogue/port/reads.ts';
import { RECORD_DIGEST } from '#catalogue/port/render-context.ts';
import type { Recorder } from '#catalogue/site/open-recorder.ts';

/** What a page has read, as the manifest keeps it. */
export interface Trace {
  /** Names the answers, and what the page was given. */
  key: string;
  /** What it has read that names no product, as JSON: many pages have that in common. */
  shared: string;
  /** What it has read of products. */
  own: string;
}

/** Something that was read, and what names its answer. */
export interface Answer {
  read: string;
  answer: string;
  /** What it is made of; undefined where that isn't known. */
  sources: readonly Source[] | undefined;
}

/** A page as far as its key depends on it. */
export interface TracedPage {
  route: string;
  /** What its route gives it. */
  props: unknown;
  /** Whether a build finds it by the product or the family that it is of: there are very many. */
  isScoped: boolean;
}

export interface Traced<T> {
  result: T;
  trace: Trace | undefined;
  /**
   * What it has read, as far as that was not told before of this route; of scoped pages only what names no product, or
   * one that is not their own.
   */
  answers: readonly Answer[];
}

/** Tells whether pages would read now what they read when they were rendered. */
export interface Tracer {
  /** Renders a page. */
  render<T>(page: TracedPage, render: () => Promise<T>): Promise<Traced<T>>;
  /** The same of what was read in another way. */
  answersIn(reads: Reads): Answer[];
  /** The key that a page has now. Undefined where it isn't known what it shows. */
  keyNow(of: Pick<Trace, 'shared' | 'own'>, props: unknown): string | undefined;
}

const OF_PRODUCT = /\d{13}/;

/** @param recorder Of the bundle that renders the pages. */
export function openTracer(recorder: Recorder): Tracer {
  const digests = new Map<string, string>();
  const told = new Set<string>();
  const digestShared = (shared: string, given: () => readonly unknown[]): string => {
    const digest = digests.get(shared) ?? hash('sha1', JSON.stringify(given()), 'base64url');
    digests.set(shared, digest);
    return digest;
  };
  const answers = (reads: string, answer: (read: string) => string | undefined) =>
    (JSON.parse(reads) as string[]).map((read) => answer(read));
  const known = new Map<string, string | undefined>();
  /** What pages have in common is asked once, although each may read something else besides. */
  const answerOnce = (read: string): string | undefined => {
    if (!known.has(read)) known.set(read, recorder.answer(read));
    return known.get(read);
  };
  const withSources = ([read, answer]: readonly [string, string]): Answer => ({
    read,
    answer,
    sources: recorder.sourcesOf(read),
  });
  return {
    answersIn: (reads) => [...reads].map(withSources),
    render: async ({ route, props, isScoped }, render) => {
      const { result: rendering, reads } = recorder.record(render);
      const result = await rendering;
      const given = wordProps(props);
      if (given === undefined || reads.has(UNKNOWN))
        return { result, trace: undefined, answers: isScoped ? [] : [withSources([UNKNOWN, ''])] };
      const own: [string, string][] = [];
      const others: [string, string][] = [];
      for (const answer of reads) (OF_PRODUCT.test(answer[0]) ? own : others).push(answer);
      const shared = JSON.stringify(namesIn(others));
      const key = keyOf(
        given,
        digestShared(shared, () => digestsIn(others)),
        digestsIn(own),
      );
      const isTold = told.has(route + shared);
      told.add(route + shared);
      return {
        result,
        trace: { key, shared, own: JSON.stringify(namesIn(own)) },
        answers: [...(isTold ? [] : others), ...(isScoped ? ofOtherProducts(own, given) : own)].map(withSources),
      };
    },
    keyNow: ({ shared, own }, props) => {
      const given = wordProps(props);
      if (given === undefined) return undefined;
      const digest = digestShared(shared, () => answers(shared, answerOnce));
      return keyOf(given, digest, answers(own, recorder.answer));
    },
  };
}

/** Whether a page would read what it has read. */
export function isStill<Known extends { trace: Trace | undefined }>(
  known: Known | undefined,
  keyNow: (of: Trace) => string | undefined,
): known is Known {
  return known?.trace !== undefined && known.trace.key === keyNow(known.trace);
}

/** The products that a question names. */
export function gtinsIn(read: string): string[] {
  return read.match(/\d{13}/g) ?? [];
}

/** None for a page that isn't given a product: it is of many. */
function ofOtherProducts(reads: readonly [string, string][], given: string): readonly [string, string][] {
  if (!OF_PRODUCT.test(given)) return [];
  return reads.filter(([read]) => gtinsIn(read).some((gtin) => !given.includes(gtin)));
}

const namesIn = (reads: Iterable<readonly [string, string]>): string[] => [...reads].map(([read]) => read);
const digestsIn = (reads: Iterable<readonly [string, string]>): string[] => [...reads].map(([, answer]) => answer);

function keyOf(props: string, shared: string, own: readonly unknown[]): string {
  return hash('sha1', JSON.stringify([props, shared, own]), 'base64url');
}

/** Undefined for what has no form in JSON: nobody can tell then whether it is the same. */
function wordProps(props: unknown): string | undefined {
  try {
    const text = JSON.stringify(props, (_, value: unknown) => digestOf(value) ?? value);
    return props !== undefined && isPlain(props) ? text : undefined;
  } catch {
    // An object that contains itself, or a bigint.
    return undefined;
  }
}

/** Of what names all of itself, so that it need not be read. */
function digestOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, RECORD_DIGEST) : undefined;
}

/** Whether JSON says all of it. It leaves out what a `Map` or a private field holds, and writes `Infinity` as `null`. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (digestOf(value) !== undefined) return true;
  if ('toJSON' in value) return !(value instanceof Date) || Number.isFinite(value.getTime());
  if (Array.isArray(value)) return value.every((one) => one !== undefined && isPlain(one));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}
