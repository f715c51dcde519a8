import { hash } from 'node:crypto';
import { UNTRACKED_READ, type RecordedReads, type QuerySource } from '#catalogue/site/tracked-queries.ts';
import { RECORD_DIGEST } from '#catalogue/site/render-context.ts';
import type { ReadRecorder } from '#catalogue/site/read-recorder.ts';

/** Reads of a page, as stored in the manifest. */
export interface Trace {
  /** Digest of the results and of the page's props. */
  key: string;
  /** Reads without a GTIN, as JSON: many pages share them. */
  shared: string;
  /** Reads of products. */
  own: string;
}

/** A read and the digest of its result. */
export interface RecordedRead {
  read: string;
  answer: string;
  /** Sources of the result; undefined if unknown. */
  sources: readonly QuerySource[] | undefined;
}

/** The inputs of a page's key. */
export interface TracedPage {
  route: string;
  /** Props from its route. */
  props: unknown;
  /** True if a build finds it by its product or family: there are very many. */
  isScoped: boolean;
}

export interface Traced<T> {
  result: T;
  trace: Trace | undefined;
  /**
   * Its reads, except for those returned before for this route. For scoped pages, only reads without a GTIN or with
   * another product's.
   */
  answers: readonly RecordedRead[];
}

/** Determines whether pages would read the same now as when they were rendered. */
export interface Tracer {
  /** Renders a page and records its reads. */
  render<T>(page: TracedPage, render: () => Promise<T>): Promise<Traced<T>>;
  /** Converts reads that were recorded in another way. */
  answersIn(reads: RecordedReads): RecordedRead[];
  /** Returns the current key of a page; undefined if its content is unknown. */
  keyNow(trace: Pick<Trace, 'shared' | 'own'>, props: unknown): string | undefined;
}

const GTIN = /\d{13}/;

/** @param recorder Recorder of the bundle that renders the pages. */
export function openTracer(recorder: ReadRecorder): Tracer {
  const digests = new Map<string, string>();
  const reported = new Set<string>();
  const digestShared = (shared: string, getDigests: () => readonly unknown[]): string => {
    const digest = digests.get(shared) ?? hash('sha1', JSON.stringify(getDigests()), 'base64url');
    digests.set(shared, digest);
    return digest;
  };
  const digestsOf = (reads: string, answer: (read: string) => string | undefined) =>
    (JSON.parse(reads) as string[]).map((read) => answer(read));
  const results = new Map<string, string | undefined>();
  /** Reads that pages share run once, even if a page has further reads. */
  const digestOnce = (read: string): string | undefined => {
    if (!results.has(read)) results.set(read, recorder.answer(read));
    return results.get(read);
  };
  const withSources = ([read, answer]: readonly [string, string]): RecordedRead => ({
    read,
    answer,
    sources: recorder.sourcesOf(read),
  });
  return {
    answersIn: (reads) => [...reads].map(withSources),
    render: async ({ route, props, isScoped }, render) => {
      const { result: rendering, reads } = recorder.record(render);
      const result = await rendering;
      const serialized = serializeProps(props);
      if (serialized === undefined || reads.has(UNTRACKED_READ))
        return { result, trace: undefined, answers: isScoped ? [] : [withSources([UNTRACKED_READ, ''])] };
      const own: [string, string][] = [];
      const sharedReads: [string, string][] = [];
      for (const answer of reads) (GTIN.test(answer[0]) ? own : sharedReads).push(answer);
      const shared = JSON.stringify(namesIn(sharedReads));
      const key = keyOf(
        serialized,
        digestShared(shared, () => digestsIn(sharedReads)),
        digestsIn(own),
      );
      const isReported = reported.has(route + shared);
      reported.add(route + shared);
      return {
        result,
        trace: { key, shared, own: JSON.stringify(namesIn(own)) },
        answers: [...(isReported ? [] : sharedReads), ...(isScoped ? readsOfOtherProducts(own, serialized) : own)].map(
          withSources,
        ),
      };
    },
    keyNow: ({ shared, own }, props) => {
      const serialized = serializeProps(props);
      if (serialized === undefined) return undefined;
      const digest = digestShared(shared, () => digestsOf(shared, digestOnce));
      return keyOf(serialized, digest, digestsOf(own, recorder.answer));
    },
  };
}

/** True if a page would read the same again. */
export function hasSameReads<Page extends { trace: Trace | undefined }>(
  page: Page | undefined,
  keyNow: (trace: Trace) => string | undefined,
): page is Page {
  return page?.trace !== undefined && page.trace.key === keyNow(page.trace);
}

/** Returns the GTINs in a query. */
export function findGtins(read: string): string[] {
  return read.match(/\d{13}/g) ?? [];
}

/** Returns none for a page without a product in its props, because it shows many. */
function readsOfOtherProducts(
  reads: readonly [string, string][],
  serializedProps: string,
): readonly [string, string][] {
  if (!GTIN.test(serializedProps)) return [];
  return reads.filter(([read]) => findGtins(read).some((gtin) => !serializedProps.includes(gtin)));
}

const namesIn = (reads: Iterable<readonly [string, string]>): string[] => [...reads].map(([read]) => read);
const digestsIn = (reads: Iterable<readonly [string, string]>): string[] => [...reads].map(([, answer]) => answer);

function keyOf(props: string, shared: string, own: readonly unknown[]): string {
  return hash('sha1', JSON.stringify([props, shared, own]), 'base64url');
}

/** Serializes props; undefined if they have no faithful JSON, so that changes would go unnoticed. */
function serializeProps(props: unknown): string | undefined {
  try {
    const text = JSON.stringify(props, (_, value: unknown) => digestOf(value) ?? value);
    return props !== undefined && isPlain(props) ? text : undefined;
  } catch {
    // The value contains itself, or a bigint.
    return undefined;
  }
}

/** Returns the digest of a record, which replaces its content. */
function digestOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, RECORD_DIGEST) : undefined;
}

/**
 * True if JSON represents the value completely. JSON omits the content of a `Map` or private fields, and writes
 * `Infinity` as `null`.
 */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  if (digestOf(value) !== undefined) return true;
  if ('toJSON' in value) return !(value instanceof Date) || Number.isFinite(value.getTime());
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isPlain(item));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}
