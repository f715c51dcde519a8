import { and, inArray, type SQL } from 'drizzle-orm';
import type { listPosts } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { item, type AnyCall, type RouteResult, collection } from '#origin/platform/http/transport/call.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { contentRows, type ItemCall } from './content-rights.ts';
import { getContentUrl, loadAncestors } from './content-url.ts';
import { loadContentView, type Present } from './present-content.ts';
import { presentRows } from '#origin/platform/http/transport/respond.ts';
import { findRows, readWindow, type RowPage, type RowSelection } from './resources/find-rows.ts';
import { loadRow } from './resources/resource.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { matchesContentList, orderContent, type SharedQuery } from './find-content.ts';

export async function getItem<T>(call: ItemCall, kind: ContentKind, present: Present<T>): Promise<RouteResult<T>> {
  const row = await loadRow(call, contentRows(kind), call.params.id);
  const { context, password, excerpt_length: excerptLength } = call.query;
  const view = await loadContentView(call, kind, [row], { context, password, excerptLength });
  const result = item<T>(await present(row, view));
  if (!kind.hasPage) return result;
  const base = { site: call.addresses.site, kinds: call.context.kinds };
  return { ...result, alternate: getContentUrl(row, base, view.ancestors) };
}

/** Additions of a kind to its lists. */
export interface ListExtras {
  where?: SQL | undefined;
  /**
   * True if rows of mixed origin are listed, such as by term, format or parent. They are ordered by ascending ID among
   * ties; rows of a single status are read from the index by date and ID in either direction.
   */
  isMixed?: boolean;
  /** True to list children after their parents. */
  asTree?: boolean;
  /** Rearranges the rows of the page, such as to put some on top. */
  arrange?(rows: ContentRow[]): Promise<ContentRow[]>;
}

/** Lists a page of content. Rows that the caller may not see aren't counted either. */
export async function listContent<T>(
  call: AnyCall<RouteErrors<typeof listPosts>> & { query: SharedQuery },
  kind: ContentKind,
  present: Present<T>,
  extras: ListExtras = {},
): Promise<RouteResult<T[]>> {
  const { query, context } = call;
  rejectInvalidOrder(call, query);
  const { page, per_page: perPage, status } = query;
  const isMixed = extras.isMixed || status.length > 1 || status.some((name) => name === 'any');
  const selection = {
    where: and(await matchesContentList(kind, query, call), extras.where),
    orderBy: orderContent(query, isMixed ? 'asc' : query.order),
    window: readWindow(query),
  };
  const { db } = context.store;
  const found: RowTree = extras.asTree ? await findContentTree(db, selection) : await findRows(db, content, selection);
  const total = query.offset !== undefined && selection.window.offset >= found.total ? 0 : found.total;
  if (total > 0 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_post_invalid_page_number', 'The page number exceeds the number of pages.');
  const arranged = extras.arrange ? await extras.arrange(found.rows) : found.rows;
  const { levels } = found;
  const view = await loadContentView(call, kind, arranged, {
    context: query.context,
    ...readPresentation(call),
    ...(levels ? { levels } : {}),
  });
  return collection(await presentRows(arranged, (row) => present(row, view)), total, { page, perPage });
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

/** Rows in hierarchical order, with their depths. */
interface RowTree extends RowPage<ContentRow> {
  levels?: ReadonlyMap<number, number>;
}

async function findContentTree(
  db: Database,
  { where, orderBy, window: { limit, offset } }: RowSelection,
): Promise<RowTree> {
  const matching = await db
    .select({ id: content.id, parentId: content.parentId })
    .from(content)
    .where(where)
    .orderBy(...orderBy);
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

type Node = Pick<ContentRow, 'id' | 'parentId'>;

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
