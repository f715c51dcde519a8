import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  getTableName,
  gt,
  inArray,
  lte,
  notInArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { normaliseSlug } from '../slugs.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { Database } from '#origin/platform/store/store.ts';

/** A table whose rows have an ID. */
export type ResourceTable = PgTable & { id: PgColumn };
export type RowOf<T extends ResourceTable> = T['$inferSelect'] & { id: number };

export type RowWindow = ReturnType<typeof readWindow>;

/** Rows of a list request: the matching ones, their order, and the requested part. */
export interface RowSelection {
  where: SQL | undefined;
  orderBy: readonly SQL[];
  window: RowWindow;
}

/** One page of rows, and the number of rows on all pages. */
export interface RowPage<Row> {
  rows: Row[];
  total: number;
}

/** Finds the rows of one page, and the total number of matches. */
export async function findRows<T extends ResourceTable>(
  db: Database,
  table: T,
  { where, orderBy, window: { limit, offset } }: RowSelection,
): Promise<RowPage<RowOf<T>>> {
  const rows: PgTable = table;
  const found = await db
    .select({ row: rows, total: db.$count(rows, where) })
    .from(rows)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset(offset);
  // Beyond the last row, no row carries the total.
  const total = found[0]?.total ?? (offset === 0 ? 0 : await db.$count(rows, where));
  return { rows: found.map(({ row }) => row as RowOf<T>), total };
}

/** A column that divides the rows of a table into groups, such as the post of comments. */
export interface RowGroup {
  column: PgColumn;
  /** Table of the column, if it is another one. */
  join?: { table: PgTable; on: SQL };
}

/**
 * Finds the rows of one group. Requests for several groups share a statement, such as the comments of all embedded
 * posts.
 *
 * @param key identifies the selection
 */
export async function findGroupRows<T extends ResourceTable>(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  table: T,
  { where, orderBy, window: { limit, offset } }: RowSelection,
  { column, join, id, key }: RowGroup & { id: number; key: string },
): Promise<RowPage<RowOf<T>>> {
  const { db } = context.store;
  const found = await requestMemo.gather(`${getTableName(table)} by group ${key}`, [id], async (ids) => {
    const order = sql.join([...orderBy], sql`, `);
    const selected = db
      .select({
        ...getTableColumns<PgTable>(table),
        group: sql<number>`${column}`.mapWith(Number).as('group'),
        place: sql<number>`row_number() over (partition by ${column} order by ${order})`.mapWith(Number).as('place'),
        total: sql<number>`count(*) over (partition by ${column})`.mapWith(Number).as('total'),
      })
      .from<PgTable>(table)
      .where(and(where, inArray(column, ids)))
      .$dynamic();
    const numbered = (join ? selected.innerJoin(join.table, join.on) : selected).as('numbered');
    // The first row of each group carries the total.
    const isInWindow = or(eq(numbered.place, 1), and(gt(numbered.place, offset), lte(numbered.place, offset + limit)));
    const rows = await db.select().from(numbered).where(isInWindow).orderBy(asc(numbered.place));
    return Map.groupBy(rows as (RowOf<T> & (typeof rows)[number])[], ({ group }) => group);
  });
  const rows = found.get(id) ?? [];
  return {
    rows: rows.filter(({ place }) => place > offset && place <= offset + limit),
    total: rows[0]?.total ?? 0,
  };
}

/** Parameters that lists share. */
export interface ListQuery {
  page: number;
  per_page: number;
  offset?: number | undefined;
  include: readonly number[];
  exclude: readonly number[];
  slug?: readonly string[] | undefined;
}

export function readWindow({ page, per_page: limit, offset }: Pick<ListQuery, 'page' | 'per_page' | 'offset'>) {
  return { limit, offset: offset === undefined ? (page - 1) * limit : Math.abs(offset) };
}

/** Condition of the parameters that lists share. `include` has priority over `exclude`. */
export function matchesList(
  table: ResourceTable & { slug?: PgColumn },
  query: Pick<ListQuery, 'include' | 'exclude' | 'slug'>,
): SQL | undefined {
  return and(
    anyOf(table.id, query.include),
    query.include.length > 0 ? undefined : noneOf(table.id, query.exclude),
    table.slug && anyOf(table.slug, query.slug?.map(normaliseSlug)),
  );
}

/** Limits a list to some values. An empty list of values doesn't limit it. */
export function anyOf<V extends number | string>(column: PgColumn, values: readonly V[] = []): SQL | undefined {
  return values.length > 0 ? inArray(column, [...values]) : undefined;
}

export function noneOf<V extends number | string>(column: PgColumn, values: readonly V[] = []): SQL | undefined {
  return values.length > 0 ? notInArray(column, [...values]) : undefined;
}

/** Orders by which every list can be sorted. */
type SharedOrder = 'id' | 'include' | 'include_slugs';

export type OrderQuery<By> = Pick<ListQuery, 'include' | 'slug'> & { orderby: By; order: 'asc' | 'desc' };

/** Builds the order of a list. Ties are broken by ID, so that pages never overlap. */
export function orderRows<By extends string>(
  table: ResourceTable & { slug?: PgColumn },
  query: OrderQuery<By>,
  keys: Readonly<Record<Exclude<By, SharedOrder>, SQLWrapper>>,
  ties = query.order,
): SQL[] {
  const { orderby: by, include, slug = [] } = query;
  if (by === 'include') return [...positionIn(table.id, include), asc(table.id)];
  if (by === 'include_slugs' && table.slug) return [...positionIn(table.slug, slug.map(normaliseSlug)), asc(table.id)];
  const sort = query.order === 'asc' ? asc : desc;
  if (by === 'id') return [sort(table.id)];
  return [sort(keys[by as Exclude<By, SharedOrder>]), ties === 'asc' ? asc(table.id) : desc(table.id)];
}

/** Orders rows by the position of their value in a list. An empty list adds no order. */
function positionIn(column: SQLWrapper, values: readonly (number | string)[]): SQL[] {
  if (values.length === 0) return [];
  const cases = values.map((value, position) => sql`when ${value} then ${sql.raw(String(position))}`);
  return [sql`case ${column} ${sql.join(cases, sql` `)} end`];
}

/** Orders text bytewise, independent of the database's locale. */
export function bytewise(text: SQLWrapper): SQL {
  return sql`${text} collate "C"`;
}
