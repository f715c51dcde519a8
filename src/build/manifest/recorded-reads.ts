import { hash } from 'node:crypto';
import { SortimentError } from '#contracts/index.ts';
import { parseRead, UNTRACKED_READ, type RecordedReads, type QuerySource } from '#catalogue/site/tracked-queries.ts';
import { RECORD_DIGEST } from '#catalogue/site/render-context.ts';
import type { ReadRecorder } from '#catalogue/site/read-recorder.ts';
import type { DatabaseSync } from 'node:sqlite';

/** Reads of a page, as stored in the manifest. */
export interface Trace {
  /** Digest of the results and of the page's props. */
  key: string;
  /** Reads without a GTIN, as JSON: many pages share them. */
  shared: string;
  own: string;
}

export interface RecordedRead {
  read: string;
  answer: string;
  /** Sources of the result; undefined if unknown. */
  sources: readonly QuerySource[] | undefined;
}

/** The inputs of a page's key. */
export interface TracedPage {
  route: string;
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
export type Tracer = ReturnType<typeof openTracer>;

const GTIN = /\d{13}/;
const IS_GTIN = /^\d{13}$/;

/** @param recorder Recorder of the bundle that renders the pages. */
export function openTracer(recorder: ReadRecorder) {
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
  /** @throws SortimentError If the page of a product would not be rendered again when a result changes. */
  const rejectCollectionQueries = (reads: readonly [string, string][], serializedProps: string): void => {
    for (const [read] of reads) {
      const { name, args } = parseRead(read);
      const hasOwnGtin = args.some(
        (arg) => typeof arg === 'string' && IS_GTIN.test(arg) && serializedProps.includes(arg),
      );
      // Entries with the GTIN as their ID are files of the project, whose change renders all pages.
      if (!hasOwnGtin || name === 'entry' || recorder.isProductQuery(read)) continue;
      const collections =
        recorder.sourcesOf(read)?.filter((source) => source !== 'lists' && source !== 'products') ?? [];
      if (collections.length === 0) continue;
      throw new SortimentError(
        'BUILD_UNTRACKED_PRODUCT',
        `A page of a product runs a query of a collection (${collections.join(', ')}) with its GTIN: ${read}`,
        { hint: 'Define the query with productQuery instead of trackedQuery.' },
      );
    }
  };
  return {
    /** Converts reads that were recorded in another way. */
    answersIn: (reads: RecordedReads) => [...reads].map(withSources),
    /** Renders a page and records its reads. */
    render: async <T>({ route, props, isScoped }: TracedPage, render: () => Promise<T>): Promise<Traced<T>> => {
      const { result: rendering, reads } = recorder.record(render);
      const result = await rendering;
      const serialized = serializeProps(props);
      if (serialized === undefined || reads.has(UNTRACKED_READ))
        return { result, trace: undefined, answers: isScoped ? [] : [withSources([UNTRACKED_READ, ''])] };
      const own: [string, string][] = [];
      const sharedReads: [string, string][] = [];
      for (const answer of reads) (GTIN.test(answer[0]) ? own : sharedReads).push(answer);
      if (isScoped) rejectCollectionQueries(own, serialized);
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
    /** Returns the current key of a page; undefined if its content is unknown. */
    keyNow: ({ shared, own }: Pick<Trace, 'shared' | 'own'>, props: unknown): string | undefined => {
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

/** A query that pages of a route ran, or that ran to find them. */
export interface TrackedQuery extends RecordedRead {
  routes: readonly QueryRoute[];
}

/** Reads that it took to find the pages of a route. */
export interface RouteReads {
  answers: readonly RecordedRead[];
  isScoped: boolean;
}

interface QueryRoute {
  route: string;
  /** True if a build finds its pages by the products and families in scope. */
  isScoped: boolean;
}

/** Stores each query of the routes once, so that a build finds the routes that a change affects. */
export type TrackedQueries = ReturnType<typeof openTrackedQueries>;

type ChangeTest = (sources: TrackedQuery['sources']) => boolean;

export const TRACKED_QUERIES_SCHEMA = `
CREATE TABLE routes (id INTEGER PRIMARY KEY, route TEXT NOT NULL UNIQUE, is_scoped INTEGER NOT NULL) STRICT;
CREATE TABLE questions (
  id      INTEGER PRIMARY KEY,
  read    TEXT NOT NULL UNIQUE,
  answer  TEXT NOT NULL,
  -- JSON
  sources TEXT
) STRICT;
CREATE INDEX questions_by_sources ON questions (sources);
CREATE TABLE asked (question INTEGER NOT NULL, route INTEGER NOT NULL, PRIMARY KEY (question, route)) STRICT, WITHOUT ROWID;
`;

export function openTrackedQueries(database: DatabaseSync) {
  const upsertRoute = database.prepare(
    'INSERT INTO routes (route, is_scoped) VALUES (?, ?) ON CONFLICT DO UPDATE SET is_scoped = max(is_scoped, excluded.is_scoped) RETURNING id',
  );
  const upsertQuery = database.prepare(
    `INSERT INTO questions (read, answer, sources) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET answer = excluded.answer, sources = excluded.sources RETURNING id`,
  );
  const prepareSelect = (where: string) =>
    database.prepare(
      `SELECT read, answer, sources, group_concat(route) AS routes FROM questions JOIN asked ON question = id
        ${where} GROUP BY id`,
    );
  const selectAll = prepareSelect('');
  const selectBySources = prepareSelect('WHERE sources IS ?');
  const selectRoutes = database.prepare(
    `SELECT route FROM routes WHERE id IN (
       SELECT route FROM asked JOIN questions ON questions.id = question WHERE sources IS ?)`,
  );
  const selectByRoutes = prepareSelect(
    'WHERE route IN (SELECT id FROM routes WHERE route IN (SELECT value FROM json_each(?)))',
  );
  const selectSources = database.prepare('SELECT DISTINCT sources FROM questions');
  const sourceSets = (mayHaveChanged: ChangeTest) =>
    selectSources
      .all()
      .map(({ sources }) => (typeof sources === 'string' ? sources : null))
      .filter((sources) => mayHaveChanged(readSources(sources)));
  const routesById = (): Map<string, QueryRoute> => {
    const rows = database.prepare('SELECT * FROM routes').all();
    return new Map(
      rows.map((row) => [String(row['id']), { route: String(row['route']), isScoped: row['is_scoped'] === 1 }]),
    );
  };
  const insertQueryRoute = database.prepare('INSERT OR IGNORE INTO asked VALUES (?, ?)');
  const deleteQueryRoutes = database.prepare(
    'DELETE FROM asked WHERE question = (SELECT id FROM questions WHERE read = ?)',
  );
  const deleteQuery = database.prepare('DELETE FROM questions WHERE read = ?');
  const saveRoute = (route: string, answers: readonly RecordedRead[], isScoped: boolean): void => {
    const id = Number(upsertRoute.get(route, isScoped ? 1 : 0)?.['id']);
    for (const { read, answer, sources } of answers)
      insertQueryRoute.run(Number(upsertQuery.get(read, answer, sources ? JSON.stringify(sources) : null)?.['id']), id);
  };
  /** Stored reads by route; most pages of a route have the same. */
  const savedReads = new Map<string, Set<string>>();
  return {
    all: function* (): Generator<TrackedQuery> {
      const routes = routesById();
      for (const row of selectAll.iterate()) yield toTrackedQuery(row, routes);
    },
    /** Returns the queries with sources that may have changed. */
    concerning: (mayHaveChanged: ChangeTest): TrackedQuery[] => {
      const routes = routesById();
      return sourceSets(mayHaveChanged)
        .flatMap((sources) => selectBySources.all(sources))
        .map((row) => toTrackedQuery(row, routes));
    },
    /** Returns only the affected routes, because there are as many queries as lists. */
    routesConcerned: (mayHaveChanged: ChangeTest): string[] => {
      const routes = sourceSets(mayHaveChanged).flatMap((sources) => selectRoutes.all(sources));
      return [...new Set(routes.map(({ route }) => String(route)))];
    },
    /** Returns the queries of some routes. Each lists only these routes, although others may share it. */
    questionsOf: (routes: readonly string[]): TrackedQuery[] => {
      // Skips a full table scan in the common case.
      if (routes.length === 0) return [];
      const byId = routesById();
      return selectByRoutes.all(JSON.stringify(routes)).map((row) => toTrackedQuery(row, byId));
    },
    scopedRoutes: (): string[] =>
      database
        .prepare('SELECT route FROM routes WHERE is_scoped = 1')
        .all()
        .map(({ route }) => String(route)),
    put: (route: string, answers: readonly RecordedRead[]): void => {
      const saved = savedReads.get(route) ?? new Set();
      savedReads.set(route, saved);
      const unsaved = answers.filter(({ read }) => !saved.has(read));
      if (unsaved.length > 0) saveRoute(route, unsaved, false);
      for (const { read } of unsaved) saved.add(read);
    },
    /** Stores the reads that it took to find the pages of a route. */
    putRoute: saveRoute,
    forget: (reads: readonly string[] | 'all'): void => {
      savedReads.clear();
      if (reads === 'all') return database.exec('DELETE FROM asked; DELETE FROM questions; DELETE FROM routes');
      for (const read of reads) {
        deleteQueryRoutes.run(read);
        deleteQuery.run(read);
      }
    },
  };
}

function toTrackedQuery(row: Record<string, unknown>, routes: ReadonlyMap<string, QueryRoute>): TrackedQuery {
  return {
    read: String(row['read']),
    answer: String(row['answer']),
    sources: readSources(row['sources']),
    routes: String(row['routes'])
      .split(',')
      .flatMap((id) => routes.get(id) ?? []),
  };
}

function readSources(text: unknown): readonly QuerySource[] | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as QuerySource[]) : undefined;
}
