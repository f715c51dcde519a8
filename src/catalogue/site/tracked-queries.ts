import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';

/**
 * Source of a query's result. A collection is identified by its name. `lists` is product data on other pages, such as
 * names, values, documents and counts. `products` is data on product pages only, such as prices and long texts.
 */
export type QuerySource = 'lists' | CollectionName;

type CollectionName = string & {};

/** Recorded reads: serialised query -> digest of its result. */
export type RecordedReads = Map<string, string>;

/** Returns the digest of an entry or row. Undefined for other values. */
export type FindDigest = (value: object) => string | undefined;

interface Recording {
  reads: RecordedReads;
  digestOf: FindDigest;
}

/** Query that is running, with its declared sources. */
interface RunningQuery {
  name: string;
  sources: readonly QuerySource[];
}

const recordings = new AsyncLocalStorage<Recording>();

/** Queries are synchronous, so at most one runs at a time. */
let runningQuery: RunningQuery | undefined;

export function recordReads<T>(digestOf: FindDigest, run: () => T): { result: T; reads: RecordedReads } {
  const reads: RecordedReads = new Map();
  return { result: recordings.run({ reads, digestOf }, run), reads };
}

interface TrackedQuery {
  run: (site: never, ...args: never[]) => unknown;
  sources: (args: readonly unknown[]) => readonly QuerySource[];
}

const queries = new Map<string, TrackedQuery>();

/**
 * Defines a query for pages. Its result is recorded as the page's read, and its own reads aren't. A changed result
 * re-renders the page, so return no more than pages show. Arguments and result are plain data. Use `productQuery` for
 * what the page of a product shows from collections.
 * @param sources Sources of the result. A build runs the query again if one of them has changed. Reading another source
 * throws an error.
 */
export function trackedQuery<Site, Args extends readonly unknown[], Result>(
  name: string,
  sources: readonly QuerySource[] | ((...args: Args) => readonly QuerySource[]),
  run: (site: Site, ...args: Args) => Result,
): (site: Site, ...args: Args) => Result {
  const sourcesOf = typeof sources === 'function' ? sources : () => sources;
  queries.set(name, {
    run: run as unknown as TrackedQuery['run'],
    sources: (args) => sourcesOf(...(args as Args)),
  });
  return (site, ...args) => recordQuery(name, args, () => run(site, ...args));
}

type FindByGtin<Site, Result> = (site: Site, language: string) => ReadonlyMap<string, Result>;

const productQueries = new Map<string, FindByGtin<never, unknown>>();

/**
 * Defines a query for the pages of products, such as the episodes about a product.
 * @param find Returns the values of all products by GTIN. Cache it per list, because each page calls it.
 */
export function productQuery<Site, Result>(
  name: string,
  sources: readonly QuerySource[],
  find: FindByGtin<Site, Result>,
): (site: Site, language: string, gtin: string) => Result | undefined {
  productQueries.set(name, find);
  return trackedQuery(name, sources, (site: Site, language: string, gtin: string) => find(site, language).get(gtin));
}

/** Returns the digests of the values of all product queries, by `<language>/<gtin>`. */
export function digestProductQueries<Site extends { languages: readonly { code: string }[] }>(
  site: Site,
  digestOf: FindDigest,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const find of productQueries.values())
    for (const { code } of site.languages)
      for (const [gtin, value] of find(site as never, code)) {
        const place = `${code}/${gtin}`;
        found[place] = (found[place] ?? '') + hash('sha1', digestResult(value, digestOf), 'base64url');
      }
  return found;
}

/** Returns the collections that product queries read. */
export function productQuerySources(): ReadonlySet<QuerySource> {
  return new Set([...productQueries.keys()].flatMap((name) => queries.get(name)?.sources([]) ?? []));
}

export function isProductQuery(read: string): boolean {
  return productQueries.has(parseRead(read).name);
}

/** Returns the sources of a recorded read. Undefined if the query doesn't exist any more. */
export function querySources(read: string): readonly QuerySource[] | undefined {
  const { name, args } = parseRead(read);
  return queries.get(name)?.sources(args);
}

/** Runs a query and records its result if recording is active. */
export function recordQuery<Result>(name: string, args: readonly unknown[], run: () => Result): Result {
  const recording = recordings.getStore();
  if (!recording) return run();
  const sources = queries.get(name)?.sources(args) ?? [];
  if (runningQuery) {
    const { name: running, sources: declared } = runningQuery;
    const undeclared = sources.filter((source) => !declared.includes(source));
    if (undeclared.length === 0) return run();
    throw new Error(`Query "${running}" reads undeclared sources: ${undeclared.join(', ')}. Add them to its sources.`);
  }
  runningQuery = { name, sources };
  try {
    const result = run();
    const read = formatRead(name, args);
    if (!recording.reads.has(read)) recording.reads.set(read, digestResult(result, recording.digestOf));
    return result;
  } finally {
    runningQuery = undefined;
  }
}

/** Records a read that happened in another way. Computes the result only if recording is active. */
export function recordRead(name: string, args: readonly unknown[], run: () => unknown): void {
  if (recordings.getStore()) recordQuery(name, args, run);
}

/** Marks reads that can't be tracked. */
export const UNTRACKED_READ = 'unknown';

/** Records an untracked read, so that the next build renders the page again. */
export function recordUntrackedRead(): void {
  activeRecording()?.reads.set(UNTRACKED_READ, '');
}

/** Records reads of a result that several pages share. */
export function addReads(reads: RecordedReads): void {
  const recording = activeRecording();
  for (const [read, digest] of recording ? reads : []) recording?.reads.set(read, digest);
}

/** Records the reads of a result that several pages share. Add them to each of these pages. */
export function recordSharedReads<T>(make: () => T): { result: T; reads: RecordedReads } {
  return recordReads(activeRecording()?.digestOf ?? (() => undefined), make);
}

function activeRecording(): Recording | undefined {
  return runningQuery ? undefined : recordings.getStore();
}

function formatRead(name: string, args: readonly unknown[]): string {
  return `${name} ${JSON.stringify(args)}`;
}

/** Returns the current digest of a recorded read. Undefined if the query doesn't exist any more. */
export function digestQuery(site: object, read: string, digestOf: FindDigest): string | undefined {
  const { name, args } = parseRead(read);
  const query = queries.get(name);
  return query && digestResult(query.run(site as never, ...args), digestOf);
}

/** Splits a recorded read into the name of its query and the arguments. */
export function parseRead(read: string): { name: string; args: never[] } {
  const at = read.indexOf(' ');
  if (at === -1) return { name: read, args: [] };
  return { name: read.slice(0, at), args: JSON.parse(read.slice(at + 1)) as never[] };
}

/** Digests by result, because repeated results are often the same object. */
const digests = new WeakMap<object, string>();

function digestResult(result: unknown, digestOf: FindDigest): string {
  if (typeof result !== 'object' || result === null) return JSON.stringify(result) ?? '';
  const digest = digestOf(result) ?? digests.get(result);
  if (digest !== undefined) return digest;
  if (result instanceof Promise)
    throw new TypeError('A query returned a promise. Await the value before the query runs.');
  const text = Array.isArray(result)
    ? result.map((value) => serializeValue(value, digestOf)).join()
    : serializeValue(result, digestOf);
  const shortened = text.length > MAX_PLAIN_CHARACTERS ? hash('sha1', text, 'base64url') : text;
  digests.set(result, shortened);
  return shortened;
}

/** Results up to this length are stored as they are. Longer ones are hashed. */
const MAX_PLAIN_CHARACTERS = 40;

function serializeValue(value: unknown, digestOf: FindDigest): string {
  const digest = typeof value === 'object' && value !== null ? digestOf(value) : undefined;
  return digest ?? JSON.stringify(value, (_, member: unknown) => describeValue(member, digestOf)) ?? '';
}

function describeValue(value: unknown, digestOf: FindDigest): unknown {
  if (typeof value === 'function')
    throw new TypeError('A query returned a function, which has no digest. Return plain data.');
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Set || value instanceof Map) return [...value];
  return digestOf(value) ?? value;
}
