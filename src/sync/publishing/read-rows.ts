import { z } from 'zod';
import { PUBLISHING_HINTS, upstreamError, type UpstreamFailure } from '#client/upstream-result.ts';
import { parseCount, type ListPage, type UnreadablePage } from '#client/publishing-client.ts';
import { MAX_PER_PAGE } from '#contracts/core/collection-query.ts';
import { SortimentError, type RouteDeclaration, type StoredWarning } from '#contracts/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import { allowedCount } from '../guard/guard-run.ts';
import { mapConcurrently, type SiteRun } from '../sync-options.ts';

type Row = { id: number };

/** Readable rows of a list. */
export interface ReadRows extends Pick<ListPage<Row>, 'rows' | 'problems'>, Partial<Pick<ListPage<Row>, 'warnings'>> {
  /** Rows that exist but have an unusable response. */
  unread?: UnreadRow[];
}

export interface UnreadRow {
  id: string;
  answer: UpstreamFailure;
}

/** Above this share of failures, the site is at fault and not its rows. */
const MAX_UNREAD_SHARE = 0.2;
/** The same applies to this many failures before the first success. */
export const MAX_FAILED_AT_START = 10;

/** @throws SortimentError UPSTREAM_… if so many requests fail that the site is at fault, not its rows. */
export function limitFailures(
  answer: UpstreamFailure,
  { failed, total, hasGoodAnswer }: { failed: number; total: number; hasGoodAnswer: boolean },
): void {
  const isFailing = !hasGoodAnswer && failed >= Math.min(MAX_FAILED_AT_START, total);
  if (isFailing || failed > allowedCount(total, MAX_UNREAD_SHARE)) throw upstreamError(answer, PUBLISHING_HINTS);
}

const idRow = z.object({ id: z.int() });

/**
 * Reads the rows of a kind page by page: all, or those selected by a query.
 * @throws SortimentError UPSTREAM_… if the list or too many of its rows can't be read.
 */
export async function* readRows(run: SiteRun, kind: SyncedKind, query: object = {}): AsyncGenerator<ReadRows> {
  if (!kind.rows) {
    yield* listRows(run, kind.list, { ...kind.query, ...query }, rescuePage(run, kind));
    return;
  }
  const rows = await readUnpagedList(run, kind);
  const ids = rows.map(({ id }) => id);
  yield kind.item ? await readByIds(run, kind, ids) : { rows, problems: [] };
}

/** Reads a list whose route type isn't known at compile time. */
export function listRows(
  { client }: SiteRun,
  route: RouteDeclaration,
  query: object,
  rescue?: ReturnType<typeof rescuePage>,
): AsyncGenerator<ListPage<Row>> {
  return client.listAll(route, query as never, rescue as never) as AsyncGenerator<ListPage<Row>>;
}

/** Thrown if the site lacks a route, or serves something else at its address. */
export class MissingRouteError extends Error {
  readonly isSomethingElse: boolean;

  constructor(isSomethingElse: boolean) {
    super('The site has no such list.');
    this.isSomethingElse = isSomethingElse;
  }
}

/**
 * Reads a list that has no pages.
 * @throws MissingRouteError if the site lacks an optional list.
 */
export async function readUnpagedList({ client }: SiteRun, kind: SyncedKind): Promise<Row[]> {
  const answer = await client.call(kind.list, { query: kind.query } as object);
  if (kind.mayLack && (answer.kind === 'gone' || answer.kind === 'unreadable'))
    throw new MissingRouteError(answer.kind === 'unreadable');
  if (answer.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
  return [...(kind.rows?.(answer.value.body) ?? [])];
}

/**
 * Creates the fallback for a page of 100 rows that fails because of a single row. Possible causes are a crashing plugin
 * or a firewall. Requests only the ids of the page, then halves of the rows, down to the bad one.
 */
function rescuePage(run: SiteRun, kind: SyncedKind) {
  return async ({ query, answer, page }: UnreadablePage) => {
    const list = { ...kind.list, response: z.array(idRow) };
    const ids = await run.client.call(list, { query: { ...query, _fields: 'id' } } as object);
    if (ids.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
    const rows = (ids.value.body as Row[]).map(({ id }) => id);
    return {
      ...(await readByIds(run, kind, rows)),
      page,
      total: parseCount(ids.headers['x-wp-total']),
      pages: parseCount(ids.headers['x-wp-totalpages']),
    };
  };
}

/**
 * Reads rows by id. Rows that the site no longer publishes are omitted.
 * @throws SortimentError UPSTREAM_… if so many fail that the site is at fault, not the rows.
 */
export async function readByIds(run: SiteRun, kind: SyncedKind, ids: readonly number[]): Promise<Required<ReadRows>> {
  const result: Required<ReadRows> = { rows: [], problems: [], warnings: [], unread: [] };
  const recordUnread = (id: number, answer: UpstreamFailure): void => {
    result.unread.push({ id: String(id), answer });
    const hasGoodAnswer = run.rowsRead.count + result.rows.length + result.problems.length > 0;
    limitFailures(answer, { failed: result.unread.length, total: ids.length, hasGoodAnswer });
  };

  const readBatch = async (batch: readonly number[]): Promise<void> => {
    const query = { ...kind.query, include: batch, per_page: MAX_PER_PAGE };
    const answer = await run.client.call(kind.list, { query } as object);
    if (answer.kind === 'ok') {
      const { body, problems, warnings } = answer.value;
      const rows = body as Row[];
      if (rows.some(({ id }) => !batch.includes(id))) throw unfiltered(answer.url);
      result.rows.push(...rows);
      result.problems.push(...problems);
      result.warnings.push(...warnings);
      return;
    }
    if (batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      await readBatch(batch.slice(0, middle));
      await readBatch(batch.slice(middle));
      return;
    }
    for (const id of batch) recordUnread(id, answer);
  };

  if (ids.length === 0) return result;
  if (kind.item) {
    const items = mapConcurrently(ids, ITEMS_AT_ONCE, (id) => readItem(run, kind, id));
    for await (const { id, row, failed } of items) {
      if (row) result.rows.push(row);
      else if (failed?.kind === 'unreadable')
        result.problems.push({ id: String(id), problems: failed.problems, wire: {} });
      else if (failed) recordUnread(id, failed);
    }
    await addPages(run, kind, result);
  } else if (kind.rows) result.rows.push(...(await readUnpagedList(run, kind)).filter(({ id }) => ids.includes(id)));
  else
    for (let start = 0; start < ids.length; start += MAX_PER_PAGE)
      await readBatch(ids.slice(start, start + MAX_PER_PAGE));
  return result;
}

/** More than the transport sends at once, so that it never waits. */
const ITEMS_AT_ONCE = 16;

/** Requests all routes of a row. Returns neither a row nor a failure if the site no longer publishes it. */
async function readItem(
  { client }: SiteRun,
  { item, also = {} }: SyncedKind,
  id: number,
): Promise<{ id: number; row?: Row; failed?: UpstreamFailure }> {
  let row = {};
  for (const [name, route] of [['', item] as const, ...Object.entries(also)]) {
    const answer = route && (await client.call(route, { params: { id } } as object));
    if (answer?.kind === 'gone') return { id };
    if (answer && answer.kind !== 'ok') return { id, failed: answer };
    const { body } = answer?.value ?? {};
    row = name === '' ? { ...row, ...(body as object) } : { ...row, [name]: body };
  }
  return { id, row: { ...row, id } };
}

async function addPages(
  { client }: SiteRun,
  { page }: SyncedKind,
  { rows, warnings }: Required<ReadRows>,
): Promise<void> {
  if (!page) return;
  const pages = new Map<number, Row>();
  const repaired = new Map<string, StoredWarning[]>();
  for (let start = 0; start < rows.length; start += MAX_PER_PAGE) {
    const include = rows.slice(start, start + MAX_PER_PAGE).map((row) => page.idInRow(row));
    const query = { ...page.query, include, per_page: MAX_PER_PAGE };
    const answer = await client.call(page.list, { query } as object);
    // The site has no such route, so there are no pages.
    if (answer.kind === 'gone') return;
    if (answer.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
    for (const found of answer.value.body as Row[]) pages.set(found.id, found);
    for (const { id, warnings: found } of answer.value.warnings) repaired.set(id, found);
  }
  for (const [i, row] of rows.entries()) {
    const id = page.idInRow(row);
    const found = pages.get(id);
    if (found) rows[i] = { ...row, page: found } as Row;
    const pageWarnings = repaired.get(String(id));
    if (pageWarnings) warnings.push({ id: String(row.id), warnings: pageWarnings });
  }
}

/** Creates the error for unrequested rows. Such a response doesn't mean that the requested rows are gone. */
function unfiltered(url: string): SortimentError {
  return new SortimentError('UPSTREAM_UNREADABLE', `[GET] "${url}": contains rows that were not requested.`, {
    hint: 'The site seems to ignore `include`. Check its cache and plugins.',
  });
}
