import { z } from 'zod';
import {
  PUBLISHING_HINTS,
  readCount,
  upstreamError,
  type FailedAnswer,
  type ListedPage,
  type OddPage,
  type PublishingClient,
} from '#client/index.ts';
import { MAX_PER_PAGE } from '#contracts/core/index.ts';
import { SortimentError, type RouteDeclaration, type StoredWarning } from '#contracts/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import { allowance } from '../guard/allowance.ts';
import { mapConcurrently } from '../map-concurrently.ts';

type Row = { id: number };

/** Rows of a list, as far as they can be read. */
export interface ReadRows
  extends Pick<ListedPage<Row>, 'rows' | 'problems'>, Partial<Pick<ListedPage<Row>, 'warnings'>> {
  /** Rows that exist but that the site answers with something else. */
  unread?: UnreadRow[];
}

export interface UnreadRow {
  id: string;
  answer: FailedAnswer;
}

/** How many rows the site has answered well for in this run. */
export interface RowsRead {
  readonly count: number;
}

/** Above this share of a page, the site is to blame and not the rows. */
const MAX_UNREAD_SHARE = 0.2;
/** Likewise, this many in a row before the first good one. */
const MAX_AT_FIRST = 10;

const idRow = z.object({ id: z.int() });

/**
 * Reads all rows of a kind, page by page, or of those that a query names.
 * @throws SortimentError UPSTREAM_… when the list can't be read, or too many of its rows.
 */
export async function* readRows(
  client: PublishingClient,
  kind: SyncedKind,
  rowsRead: RowsRead,
  query: object = {},
): AsyncGenerator<ReadRows> {
  if (!kind.rows) {
    yield* listWith(client, kind.list, { ...kind.query, ...query }, rescuePage(client, kind, rowsRead));
    return;
  }
  const rows = await readWhole(client, kind);
  const ids = rows.map(({ id }) => id);
  yield kind.item ? await readByIds(client, kind, ids, rowsRead) : { rows, problems: [] };
}

/** Here the declaration of a kind's list is only known to be that of some list. */
export function listWith(
  client: PublishingClient,
  route: RouteDeclaration,
  query: object,
  rescue?: ReturnType<typeof rescuePage>,
): AsyncGenerator<ListedPage<Row>> {
  return client.listAll(route, query as never, rescue as never) as AsyncGenerator<ListedPage<Row>>;
}

/** The site has no such list, or something else under its address. */
export class RouteLackingError extends Error {
  readonly isSomethingElse: boolean;

  constructor(isSomethingElse: boolean) {
    super('The site has no such list.');
    this.isSomethingElse = isSomethingElse;
  }
}

/**
 * The rows of a list that is no list of the interface's usual form.
 * @throws RouteLackingError for a list that a site may lack.
 */
export async function readWhole(client: PublishingClient, kind: SyncedKind): Promise<Row[]> {
  const answer = await client.call(kind.list);
  if (kind.mayLack && (answer.kind === 'gone' || answer.kind === 'unreadable'))
    throw new RouteLackingError(answer.kind === 'unreadable');
  if (answer.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
  return [...(kind.rows?.(answer.value.body) ?? [])];
}

/**
 * One row that makes the site fail (a plugin that crashes, a firewall that objects to a word) makes its page of 100
 * fail: then the IDs of the page are requested alone, and the rows in halves, down to the bad one.
 */
function rescuePage(client: PublishingClient, kind: SyncedKind, rowsRead: RowsRead) {
  return async ({
    query,
    answer,
    page,
  }: OddPage): Promise<ListedPage<Row> & ReadRows & { pages: number | undefined }> => {
    const ids = await client.call({ ...kind.list, response: z.array(idRow) }, {
      query: { ...query, _fields: 'id' },
    } as object);
    if (ids.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
    const rows = ids.value.body as Row[];
    const read = await readByIds(
      client,
      kind,
      rows.map(({ id }) => id),
      rowsRead,
    );
    return {
      ...read,
      page,
      total: readCount(ids.headers['x-wp-total']),
      pages: readCount(ids.headers['x-wp-totalpages']),
    };
  };
}

/**
 * Reads exactly these rows; rows that the site no longer shows are left out.
 * @throws SortimentError UPSTREAM_… when so many can't be read that the site is to blame, not the rows.
 */
export async function readByIds(
  client: PublishingClient,
  kind: SyncedKind,
  ids: readonly number[],
  rowsRead: RowsRead,
): Promise<Required<ReadRows>> {
  const read: Required<ReadRows> = { rows: [], problems: [], warnings: [], unread: [] };
  const allowed = allowance(ids.length, MAX_UNREAD_SHARE);

  const leaveUnread = (id: number, answer: FailedAnswer): void => {
    read.unread.push({ id: String(id), answer });
    const isAnsweredWell = rowsRead.count + read.rows.length + read.problems.length > 0;
    if (read.unread.length > allowed || (!isAnsweredWell && read.unread.length >= Math.min(MAX_AT_FIRST, ids.length))) {
      throw upstreamError(answer, PUBLISHING_HINTS);
    }
  };

  const readSome = async (some: readonly number[]): Promise<void> => {
    const answer = await client.call(kind.list, {
      query: { ...kind.query, include: some, per_page: MAX_PER_PAGE },
    } as object);
    if (answer.kind === 'ok') {
      const { body, problems, warnings } = answer.value;
      const rows = body as Row[];
      if (rows.some(({ id }) => !some.includes(id))) throw unfiltered(answer.url);
      read.rows.push(...rows);
      read.problems.push(...problems);
      read.warnings.push(...warnings);
      return;
    }
    if (some.length > 1) {
      const middle = Math.ceil(some.length / 2);
      await readSome(some.slice(0, middle));
      await readSome(some.slice(middle));
      return;
    }
    for (const id of some) leaveUnread(id, answer);
  };

  if (ids.length === 0) return read;
  if (kind.item) {
    const items = mapConcurrently(ids, ITEMS_AT_ONCE, (id) => readItem(client, kind, id));
    for await (const { id, row, failed } of items) {
      if (row) read.rows.push(row);
      else if (failed?.kind === 'unreadable')
        read.problems.push({ id: String(id), problems: failed.problems, wire: {} });
      else if (failed) leaveUnread(id, failed);
    }
    await addPages(client, kind, read);
  } else if (kind.rows) read.rows.push(...(await readWhole(client, kind)).filter(({ id }) => ids.includes(id)));
  else
    for (let start = 0; start < ids.length; start += MAX_PER_PAGE)
      await readSome(ids.slice(start, start + MAX_PER_PAGE));
  return read;
}

/** More than the transport sends at once, so that it never waits. */
const ITEMS_AT_ONCE = 16;

/** What the routes of a kind answer for one row; neither a row nor a failure where the site no longer shows it. */
async function readItem(
  client: PublishingClient,
  { item, also = {} }: SyncedKind,
  id: number,
): Promise<{ id: number; row?: Row; failed?: FailedAnswer }> {
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

/** Puts the pages of rows into them. */
async function addPages(
  client: PublishingClient,
  { page }: SyncedKind,
  { rows, warnings }: Required<ReadRows>,
): Promise<void> {
  if (!page) return;
  const pages = new Map<number, Row>();
  const repaired = new Map<string, StoredWarning[]>();
  for (let start = 0; start < rows.length; start += MAX_PER_PAGE) {
    const include = rows.slice(start, start + MAX_PER_PAGE).map((row) => page.idInRow(row));
    const answer = await client.call(page.list, { query: { include, per_page: MAX_PER_PAGE } } as object);
    // Without the route there are no pages.
    if (answer.kind === 'gone') return;
    if (answer.kind !== 'ok') throw upstreamError(answer, PUBLISHING_HINTS);
    for (const found of answer.value.body as Row[]) pages.set(found.id, found);
    for (const { id, warnings: found } of answer.value.warnings) repaired.set(id, found);
  }
  for (const [i, row] of rows.entries()) {
    const id = page.idInRow(row);
    const found = pages.get(id);
    if (found) rows[i] = { ...row, page: found } as Row;
    const ofPage = repaired.get(String(id));
    if (ofPage) warnings.push({ id: String(row.id), warnings: ofPage });
  }
}

/** A different answer does not mean that the requested rows are gone. */
function unfiltered(url: string): SortimentError {
  return new SortimentError('UPSTREAM_UNREADABLE', `[GET] "${url}": holds rows that were not asked for.`, {
    hint: 'The site seems to ignore `include`: look for a cache or a plugin that does.',
  });
}
