import { inArray } from 'drizzle-orm';
import type { listPosts } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import {
  collection,
  type RouteResult,
  type AnyCall,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { presentRows } from '#origin/platform/http/transport/bounded-body.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import {
  type ContentFilter,
  type ContentOrder,
  contentCondition,
  countContent,
  contentOrdering,
  readTotal,
  totalColumn,
  type SharedQuery,
  type RowWindow,
} from './find-content.ts';
import {
  relatedColumns,
  isFeatured,
  cacheRelated,
  loadContentView,
  getRelatedParts,
  featuredImage,
  type ContentView,
} from './content-view.ts';
import { cacheRows, loadAncestors } from './content-url.ts';

export interface ListOptions<T> {
  kind: ContentKind;
  query: SharedQuery & { orderby: ListOrder };
  filter: ContentFilter;
  present(row: ContentRow, view: ContentView): Promise<SelectedFields<T>>;
  /** True to list children after their parents. */
  asTree?: boolean;
  /** Rearranges the rows of the page, such as to put some on top. */
  arrange?(rows: ContentRow[]): Promise<ContentRow[]>;
}

type ListOrder = ContentOrder['by'];

/** Lists a page of content. The filter excludes rows that the caller may not see, so they aren't counted either. */
export async function listContent<T>(
  call: AnyCall<RouteErrors<typeof listPosts>>,
  options: ListOptions<T>,
): Promise<RouteResult<T[]>> {
  const { kind, query, filter, present } = options;
  rejectInvalidOrder(call, query);
  const { db } = call.context.store;
  const { page, per_page: perPage, context } = query;
  const offset = query.offset === undefined ? (page - 1) * perPage : Math.abs(query.offset);
  const order = { by: query.orderby, direction: query.order };
  const window = { limit: perPage, offset };
  const tree = options.asTree ? await findContentTree(db, filter, order, window) : undefined;
  const found = tree ?? (await findWindow(call, kind, { filter, order, window }));
  const total = query.offset !== undefined && offset >= found.total ? 0 : found.total;
  if (total > 0 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_post_invalid_page_number', 'The page number exceeds the number of pages.');

  const arranged = options.arrange ? await options.arrange(found.rows) : found.rows;
  cacheRows(call, arranged);
  const view = await loadContentView(call, kind, arranged, {
    context,
    ...readPresentation(call),
    ...(tree ? { levels: tree.levels } : {}),
  });
  const rows = await presentRows(arranged, (row) => present(row, view));
  return collection(rows, total, { page, perPage });
}

interface List {
  filter: ContentFilter;
  order: ContentOrder;
  window: RowWindow;
}

/** Loads a window of matching rows, their related data and the total in one statement. */
async function findWindow(
  call: AnyCall,
  kind: ContentKind,
  { filter, order, window: { limit, offset } }: List,
): Promise<{ rows: ContentRow[]; total: number }> {
  const parts = getRelatedParts(call, kind);
  const { db } = call.context.store;
  // Related data is loaded for the window only.
  const inWindow = db
    .select()
    .from(content)
    .where(contentCondition(db, filter))
    .orderBy(...contentOrdering(order, filter))
    .limit(limit)
    .offset(offset)
    .as('content');
  const found = await db
    .select({ row: content, total: totalColumn(countContent(db, filter)), ...relatedColumns(parts) })
    .from(inWindow)
    .leftJoin(featuredImage, isFeatured(parts))
    .orderBy(...contentOrdering(order, filter));
  for (const entry of found) cacheRelated(call.requestMemo, entry.row.id, parts, entry);
  return { rows: found.map(({ row }) => row), total: await readTotal(found, offset, () => countContent(db, filter)) };
}

/** Rejects orders without the parameter they depend on. */
export function rejectInvalidOrder(
  { refuse }: AnyCall<'rest_no_search_term_defined' | 'rest_orderby_include_missing_include'>,
  query: { orderby: string; search?: string | undefined; include: readonly number[] },
): void {
  if (query.orderby === 'relevance' && !query.search)
    throw refuse('rest_no_search_term_defined', 'Ordering by relevance requires a search term.');
  if (query.orderby === 'include' && query.include.length === 0)
    throw refuse('rest_orderby_include_missing_include', 'Ordering by include requires the parameter include.');
}

/** Reads parameters of items that lists support without declaring them. */
function readPresentation({ others: undeclared }: AnyCall): { password?: string; excerptLength?: number } {
  const { password, excerpt_length: length } = undeclared;
  return {
    ...(typeof password === 'string' && password !== '' ? { password } : {}),
    ...(typeof length === 'string' && /^-?\d+$/.test(length) ? { excerptLength: Number(length) } : {}),
  };
}

/** Finds a window of matching rows in hierarchical order, with their depth. */
async function findContentTree(
  db: Database,
  filter: ContentFilter,
  order: ContentOrder,
  { limit, offset }: RowWindow,
): Promise<{ rows: ContentRow[]; levels: ReadonlyMap<number, number>; total: number }> {
  const matching = await db
    .select({ id: content.id, parentId: content.parentId })
    .from(content)
    .where(contentCondition(db, filter))
    .orderBy(...contentOrdering(order, filter));
  const ancestors = await loadAncestors(db, matching);
  const arranged = arrangeTree(matching, (id) => ancestors.get(id)?.parentId ?? 0);
  const shown = arranged.slice(offset, offset + limit);
  const ids = shown.map(({ id }) => id);
  const found = ids.length > 0 ? await db.select().from(content).where(inArray(content.id, ids)) : [];
  const byId = new Map(found.map((row) => [row.id, row]));
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    levels: new Map(shown.map(({ id, level }) => [id, level])),
    total: matching.length,
  };
}

interface Node {
  id: number;
  parentId: number;
}

/**
 * Sorts children after their parents and preserves the order of siblings. Rows with a parent outside the list come
 * last, with their true depth.
 *
 * @param parentOf returns the parent of a row outside the list, 0 for none
 */
export function arrangeTree(nodes: readonly Node[], parentOf: (id: number) => number): { id: number; level: number }[] {
  const present = new Set(nodes.map(({ id }) => id));
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const added = new Set<number>();
  const arranged: { id: number; level: number }[] = [];
  const add = ({ id }: Node, level: number) => {
    if (added.has(id)) return;
    added.add(id);
    arranged.push({ id, level });
    for (const child of children.get(id) ?? []) add(child, level + 1);
  };
  for (const root of children.get(0) ?? []) add(root, 0);
  for (const orphan of nodes) {
    if (!present.has(orphan.parentId)) add(orphan, depthBelow(orphan.parentId, parentOf));
  }
  for (const remaining of nodes) add(remaining, 0);
  return arranged;
}

/** Returns the depth of a child of this row. */
function depthBelow(id: number, parentOf: (id: number) => number): number {
  const seen = new Set<number>();
  for (let ancestor = id; ancestor !== 0 && !seen.has(ancestor); ancestor = parentOf(ancestor)) seen.add(ancestor);
  return seen.size;
}
