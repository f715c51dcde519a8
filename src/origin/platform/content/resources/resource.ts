import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Context } from '#contracts/core/field.ts';
import type { Memo } from '#origin/platform/context/origin-context.ts';
import { announce, type OriginEvent } from '#origin/platform/events/announce.ts';
import {
  presentPrevious,
  collection,
  created,
  item,
  type AnyCall,
  type RouteResult,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { presentRows } from '#origin/platform/http/transport/respond.ts';
import { retryTransaction, sqlState, type Transaction } from '#origin/platform/store/query-errors.ts';
import { option } from '#origin/platform/store/schema.ts';
import { runForIds, type Database } from '#origin/platform/store/store.ts';
import {
  findGroupRows,
  findRows,
  readWindow,
  type ListQuery,
  type ResourceTable,
  type RowGroup,
  type RowOf,
  type RowSelection,
} from './find-rows.ts';

/** The rows of a table that the interface serves under one path. */
export interface Resource<T extends ResourceTable, Shown, Code extends string> {
  table: T;
  /** Condition of its rows, if the table contains others as well. */
  kind?: SQL;
  /** Path of the collection. */
  path: string;
  /** Error for an unknown ID. */
  unknownId: readonly [code: Code, message: string];
  /** Type of its events for webhook receivers. @default none are sent */
  event?: string;
  /** Loads related data for all rows of a response, and returns the function that converts a row to JSON. */
  presenter(
    rows: readonly RowOf<T>[],
    call: AnyCall,
    context: Context,
  ): Promise<(row: RowOf<T>) => Shown | Promise<Shown>>;
}

type Rows<T extends ResourceTable, Code extends string> = Pick<
  Resource<T, unknown, Code>,
  'table' | 'kind' | 'path' | 'unknownId'
>;

const LOCK = 'content lock';
const EXISTS_ALREADY = '23505';
const ATTEMPTS = 3;

/**
 * Runs a write of content or terms in a transaction, exclusive among all such writes of all processes.
 *
 * `run` may be called several times. Its timestamp is taken after the lock, so that modification dates are in order
 * of the changes.
 */
export async function writeContent<T>(db: Database, run: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryTransaction(db, async (tx) => {
        // The written row blocks other transactions until commit, on every engine.
        const set = { value: sql`excluded.value` };
        await tx.insert(option).values({ name: LOCK, value: {} }).onConflictDoUpdate({ target: option.name, set });
        return run(tx, new Date());
      });
    } catch (error) {
      // A writer without the lock took the slug concurrently; the retry will see it.
      if (attempt === ATTEMPTS || sqlState(error) !== EXISTS_ALREADY) throw error;
    }
  }
}

/** Finds a row by ID, loaded once for authorization and handler. Calls of one request share a statement. */
export function findRow<T extends ResourceTable>(
  { context, memo, requestMemo = memo }: Pick<AnyCall, 'context' | 'memo'> & { requestMemo?: Memo },
  { table, kind, path }: Omit<Rows<T, string>, 'unknownId'>,
  id: number,
): Promise<RowOf<T> | undefined> {
  return memo.once(`row ${path} ${id}`, async () => {
    const found = await requestMemo.gather(`rows of ${path}`, [id], async (ids) => {
      const { db } = context.store;
      const rows = await runForIds(db, `rows of ${path}`, ids, (list, name) =>
        db
          .select()
          .from<PgTable>(table)
          .where(and(inArray(table.id, list), kind))
          .prepare(name),
      );
      return new Map((rows as RowOf<T>[]).map((loaded) => [loaded.id, loaded]));
    });
    return found.get(id);
  });
}

/** Loads a row, once per call. @throws RestError for an unknown ID */
export async function loadRow<T extends ResourceTable, Code extends string>(
  call: AnyCall<NoInfer<Code>>,
  rows: Rows<T, Code>,
  id: number,
): Promise<RowOf<T>> {
  const row = await findRow(call, rows, id);
  if (!row) throw call.refuse(...rows.unknownId);
  return row;
}

/** Loads a row and locks it until the transaction ends. @throws RestError for an unknown ID */
export async function lockRow<T extends ResourceTable, Code extends string>(
  tx: Transaction,
  { refuse }: Pick<AnyCall<NoInfer<Code>>, 'refuse'>,
  { table, kind, unknownId }: Rows<T, Code>,
  id: number,
): Promise<RowOf<T>> {
  const [row] = await tx
    .select()
    .from<PgTable>(table)
    .where(and(eq(table.id, id), kind))
    .for('update');
  if (!row) throw refuse(...unknownId);
  return row as RowOf<T>;
}

export async function presentOne<T extends ResourceTable, Shown>(
  call: AnyCall,
  resource: Pick<Resource<T, Shown, string>, 'presenter'>,
  row: RowOf<T>,
  context: Context,
): Promise<Shown> {
  const present = await resource.presenter([row], call, context);
  return present(row);
}

/**
 * Lists one page of rows.
 *
 * @param group limits the list to the rows of the post in the parameter `post`
 */
export async function listResource<T extends ResourceTable, Shown>(
  call: AnyCall & { query: ListQuery & { context: Context } },
  resource: Resource<T, SelectedFields<Shown>, string>,
  selection: Omit<RowSelection, 'window'>,
  group?: RowGroup & { id: number },
): Promise<RouteResult<Shown[]>> {
  const { query, context } = call;
  const list = { ...selection, where: and(resource.kind, selection.where), window: readWindow(query) };
  const { rows, total } = group
    ? await findGroupRows(call, resource.table, list, {
        ...group,
        key: JSON.stringify([resource.path, { ...query, post: undefined }]),
      })
    : await findRows(context.store.db, resource.table, list);
  const present = await resource.presenter(rows, call, query.context);
  return collection(await presentRows(rows, present), total, { page: query.page, perPage: query.per_page });
}

export async function getResource<T extends ResourceTable, Shown, Code extends string>(
  call: AnyCall<NoInfer<Code>> & { params: { id: number }; query: { context: Context } },
  resource: Resource<T, SelectedFields<Shown>, Code>,
): Promise<RouteResult<Shown>> {
  return item(await presentOne(call, resource, await loadRow(call, resource, call.params.id), call.query.context));
}

type NewRow<T extends ResourceTable> = T['$inferInsert'];

/**
 * Creates a row in a write transaction, and returns it in the edit context.
 *
 * @param insert validates the input and inserts the row
 */
export async function createResource<T extends ResourceTable, Shown>(
  call: AnyCall,
  resource: Resource<T, SelectedFields<Shown>, string>,
  insert: (tx: Transaction, now: Date) => Promise<RowOf<T>>,
  context: Context = 'edit',
): Promise<RouteResult<Shown>> {
  const row = await writeContent(call.context.store.db, async (tx, now) => {
    const added = await insert(tx, now);
    await announceRow(tx, resource, added, 'created');
    return added;
  });
  return created(await presentOne(call, resource, row, context), call.addresses.rest(`${resource.path}/${row.id}`));
}

export async function insertRow<T extends ResourceTable>(
  tx: Transaction,
  table: T,
  values: NewRow<T>,
): Promise<RowOf<T>> {
  const [added] = await tx.insert<PgTable>(table).values(values).returning();
  if (!added) throw new Error('The store did not return the row it added.');
  return added as RowOf<T>;
}

/**
 * Updates a row in a write transaction, and returns it in the edit context.
 *
 * @param plan validates the input and returns the values to write
 */
export async function updateResource<T extends ResourceTable, Shown, Code extends string>(
  call: AnyCall<NoInfer<Code>>,
  resource: Resource<T, SelectedFields<Shown>, Code>,
  id: number,
  plan: (tx: Transaction, before: RowOf<T>, now: Date) => Promise<Partial<NewRow<T>>>,
): Promise<RouteResult<Shown>> {
  const row = await writeContent(call.context.store.db, async (tx, now) => {
    const before = await lockRow(tx, call, resource, id);
    const values = await plan(tx, before, now);
    if (Object.keys(values).length > 0)
      await tx.update<PgTable>(resource.table).set(values).where(eq(resource.table.id, id));
    const after: RowOf<T> = { ...before, ...values };
    await announceRow(tx, resource, after, 'updated');
    return after;
  });
  return item(await presentOne(call, resource, row, 'edit'));
}

/**
 * Deletes a row in a write transaction, and returns its former state.
 *
 * @param remove deletes what belongs to the row
 */
export async function deleteResource<T extends ResourceTable, Shown, Code extends string>(
  call: AnyCall<NoInfer<Code>>,
  resource: Resource<T, SelectedFields<Shown>, Code>,
  id: number,
  remove: (tx: Transaction, row: RowOf<T>) => Promise<unknown>,
): Promise<RouteResult<{ deleted: true; previous: Shown }>> {
  const shown = await presentOne(call, resource, await loadRow(call, resource, id), 'edit');
  await writeContent(call.context.store.db, async (tx) => {
    const row = await lockRow(tx, call, resource, id);
    await remove(tx, row);
    await tx.delete(resource.table).where(eq(resource.table.id, id));
    await announceRow(tx, resource, row, 'deleted');
  });
  return item({ deleted: true, previous: presentPrevious(shown, id, call) });
}

async function announceRow<T extends ResourceTable>(
  tx: Transaction,
  { event }: Pick<Resource<T, unknown, string>, 'event'>,
  row: RowOf<T>,
  action: OriginEvent['action'],
): Promise<void> {
  if (event !== undefined) await announce(tx, { what: event, id: String(row.id), action });
}
