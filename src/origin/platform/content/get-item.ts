import { inArray } from 'drizzle-orm';
import type { Context } from '#contracts/core/field.ts';
import type { getPost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { item, type RouteResult, type AnyCall, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import {
  ancestorsById,
  ancestorsColumn,
  cacheRows,
  cachedRowKey,
  loadAncestors,
  type Ancestor,
  getContentUrl,
} from './content-url.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { canEdit, canRead, type FindParent } from './content-rights.ts';
import {
  relatedColumns,
  isFeatured,
  cacheRelated,
  loadContentView,
  NO_RELATED_PARTS,
  getRelatedParts,
  featuredImage,
  type ContentView,
  type RelatedParts,
} from './content-view.ts';

export type ItemCall = AnyCall<'rest_post_invalid_id'> & {
  params: { id: number };
  query: { context: Context; password?: string | undefined; excerpt_length?: number | undefined };
};

/** Authorizes reading an item. Checks in order: the ID, the edit context, the password, and read access. */
export function authorizeItem(
  kind: ContentKind,
): (call: ItemCall & AnyCall<RouteErrors<typeof getPost>>) => Promise<void> {
  return async (call) => {
    const { caller, query } = call;
    const row = await loadRow(call, kind, call.params.id, getRelatedParts(call, kind));
    const parentOf = await loadParents(call, row);
    if (query.context === 'edit' && !canEdit(row, caller, parentOf))
      throw call.refuse('rest_forbidden_context', 'You are not allowed to view this item in the edit context.');
    if (isWrongPassword(call, row)) throw call.refuse('rest_post_incorrect_password', 'Incorrect post password.');
    if (!canRead(row, caller, parentOf)) throw call.refuse('rest_forbidden', 'You are not allowed to view this item.');
  };
}

export async function getItem<T>(
  call: ItemCall,
  kind: ContentKind,
  present: (row: ContentRow, view: ContentView) => Promise<SelectedFields<T>>,
): Promise<RouteResult<T>> {
  const row = await loadRow(call, kind, call.params.id);
  const { context, password, excerpt_length: excerptLength } = call.query;
  cacheRows(call, [row]);
  const ancestors = await loadRowAncestors(call, row);
  const view = await loadContentView(call, kind, [row], { context, password, excerptLength, ancestors });
  const shown = await present(row, view);
  return kind.hasPage
    ? item(shown, {
        alternate: getContentUrl(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
      })
    : item(shown);
}

/**
 * Finds a row by ID, loaded once for authorization and handler. Undefined if it doesn't exist.
 *
 * @param parts related data to load with it
 */
export function findRow(
  call: Pick<AnyCall, 'context' | 'memo'> & Partial<Pick<AnyCall, 'requestMemo'>>,
  { type }: Pick<ContentKind, 'type'>,
  id: number,
  parts = NO_RELATED_PARTS,
): Promise<ContentRow | undefined> {
  const { memo, requestMemo = memo, context } = call;
  return memo.once(rowKey(type, id), async () => {
    const cached = await requestMemo.known<ContentRow>(cachedRowKey(id));
    if (cached) return cached.type === type ? cached : undefined;
    const load = (ids: readonly number[]) => loadRows(context.store.db, ids, parts);
    const loaded = (await requestMemo.gather(`content ${JSON.stringify(parts)}`, [id], load)).get(id);
    if (loaded?.row.type !== type) return undefined;
    cacheRelated(requestMemo, id, parts, loaded);
    memo.keep(ancestorsKey(id), ancestorsById(loaded.above));
    return loaded.row;
  });
}

/** Loads rows with their ancestors and related data. */
async function loadRows(db: Database, ids: readonly number[], parts: RelatedParts) {
  const found = await db
    .select({ row: content, above: ancestorsColumn(content.parentId), ...relatedColumns(parts) })
    .from(content)
    .leftJoin(featuredImage, isFeatured(parts))
    .where(inArray(content.id, [...ids]));
  return new Map(found.map((entry) => [entry.row.id, entry] as const));
}

/** Loads a row by ID. @throws RestError if it doesn't exist */
export async function loadRow(
  call: AnyCall<'rest_post_invalid_id'>,
  kind: Pick<ContentKind, 'type'>,
  id: number,
  parts?: RelatedParts,
): Promise<ContentRow> {
  const row = await findRow(call, kind, id, parts);
  if (!row) throw call.refuse('rest_post_invalid_id', 'No item with this ID.');
  return row;
}

/** Evicts a row after a write, so that it is loaded again. */
export function evictRow(call: Pick<AnyCall, 'memo'>, { type, id }: Pick<ContentRow, 'type' | 'id'>): void {
  call.memo.forget(rowKey(type, id));
  call.memo.forget(ancestorsKey(id));
}

function rowKey(type: string, id: number): string {
  return `content ${type} ${id}`;
}

async function loadParents(call: AnyCall, row: ContentRow): Promise<FindParent> {
  const ancestors = await loadRowAncestors(call, row);
  return ({ parentId }) => ancestors.get(parentId);
}

function loadRowAncestors(call: AnyCall, row: ContentRow): Promise<ReadonlyMap<number, Ancestor>> {
  return call.memo.once(ancestorsKey(row.id), () => loadAncestors(call.context.store.db, [row], call.requestMemo));
}

function ancestorsKey(id: number): string {
  return `ancestors ${id}`;
}

/** A password in the query must be correct for every caller, even if the row has none. */
function isWrongPassword({ query, sources }: ItemCall, row: ContentRow): boolean {
  const { password } = query;
  return password !== undefined && password !== '' && sources.get('password') === 'query' && password !== row.password;
}
