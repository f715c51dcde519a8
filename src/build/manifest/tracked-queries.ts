import type { DatabaseSync } from 'node:sqlite';
import type { QuerySource } from '#catalogue/site/tracked-queries.ts';
import type { RecordedRead } from './trace.ts';

/** A query that pages of a route ran, or that ran to find them. */
export interface TrackedQuery extends RecordedRead {
  routes: readonly QueryRoute[];
}

/** Reads that it took to find the pages of a route. */
export interface RouteReads {
  answers: readonly RecordedRead[];
  isScoped: boolean;
}

export interface QueryRoute {
  route: string;
  /** True if a build finds its pages by the products and families in scope. */
  isScoped: boolean;
}

/** Stores each query of the routes once, so that a build finds the routes that a change affects. */
export interface TrackedQueries {
  all(): Iterable<TrackedQuery>;
  /** Returns the queries with sources that may have changed. */
  concerning(mayHaveChanged: ChangeTest): TrackedQuery[];
  /** Returns only the affected routes, because there are as many queries as lists. */
  routesConcerned(mayHaveChanged: ChangeTest): string[];
  /** Returns the queries of some routes. Each lists only these routes, although others may share it. */
  questionsOf(routes: readonly string[]): TrackedQuery[];
  scopedRoutes(): string[];
  put(route: string, answers: readonly RecordedRead[]): void;
  /** Stores the reads that it took to find the pages of a route. */
  putRoute(route: string, answers: readonly RecordedRead[], isScoped: boolean): void;
  forget(reads: readonly string[] | 'all'): void;
}

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

export function openTrackedQueries(database: DatabaseSync): TrackedQueries {
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
  const saveRoute: TrackedQueries['putRoute'] = (route, answers, isScoped) => {
    const id = Number(upsertRoute.get(route, isScoped ? 1 : 0)?.['id']);
    for (const { read, answer, sources } of answers)
      insertQueryRoute.run(Number(upsertQuery.get(read, answer, sources ? JSON.stringify(sources) : null)?.['id']), id);
  };
  /** Stored reads by route; most pages of a route have the same. */
  const savedReads = new Map<string, Set<string>>();
  return {
    all: function* () {
      const routes = routesById();
      for (const row of selectAll.iterate()) yield toTrackedQuery(row, routes);
    },
    concerning: (mayHaveChanged) => {
      const routes = routesById();
      return sourceSets(mayHaveChanged)
        .flatMap((sources) => selectBySources.all(sources))
        .map((row) => toTrackedQuery(row, routes));
    },
    routesConcerned: (mayHaveChanged) => {
      const routes = sourceSets(mayHaveChanged).flatMap((sources) => selectRoutes.all(sources));
      return [...new Set(routes.map(({ route }) => String(route)))];
    },
    questionsOf: (routes) => {
      // Skips a full table scan in the common case.
      if (routes.length === 0) return [];
      const byId = routesById();
      return selectByRoutes.all(JSON.stringify(routes)).map((row) => toTrackedQuery(row, byId));
    },
    scopedRoutes: () =>
      database
        .prepare('SELECT route FROM routes WHERE is_scoped = 1')
        .all()
        .map(({ route }) => String(route)),
    put: (route, answers) => {
      const saved = savedReads.get(route) ?? new Set();
      savedReads.set(route, saved);
      const unsaved = answers.filter(({ read }) => !saved.has(read));
      if (unsaved.length > 0) saveRoute(route, unsaved, false);
      for (const { read } of unsaved) saved.add(read);
    },
    putRoute: saveRoute,
    forget: (reads) => {
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
