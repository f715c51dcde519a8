import { eq } from 'drizzle-orm';
import type { Context } from '#contracts/core/field.ts';
import type { getPost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import type { Memo } from '#origin/platform/context/origin-context.ts';
import { item, type AnyCall, type RouteResult } from '#origin/platform/http/transport/call.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { evictRow as evict, findRow as find } from './resources/resource.ts';
import { content } from '#origin/platform/store/schema.ts';
import { canEdit, canRead } from './content-rights.ts';
import { getContentUrl, loadAncestors } from './content-url.ts';
import { loadContentView, type Present } from './content-view.ts';

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
    const row = await loadRow(call, kind, call.params.id);
    const ancestors = await loadAncestors(call.context.store.db, [row], call.requestMemo);
    const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
    if (query.context === 'edit' && !canEdit(row, caller, parentOf))
      throw call.refuse('rest_forbidden_context', 'You are not allowed to view this item in the edit context.');
    if (isWrongPassword(call, row)) throw call.refuse('rest_post_incorrect_password', 'Incorrect post password.');
    if (!canRead(row, caller, parentOf)) throw call.refuse('rest_forbidden', 'You are not allowed to view this item.');
  };
}

export async function getItem<T>(call: ItemCall, kind: ContentKind, present: Present<T>): Promise<RouteResult<T>> {
  const row = await loadRow(call, kind, call.params.id);
  const { context, password, excerpt_length: excerptLength } = call.query;
  const view = await loadContentView(call, kind, [row], { context, password, excerptLength });
  const shown = await present(row, view);
  return kind.hasPage
    ? item(shown, {
        alternate: getContentUrl(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
      })
    : item(shown);
}

type Kind = Pick<ContentKind, 'type'>;

/** Finds a row by ID, loaded once for authorization and handler. Undefined if it doesn't exist. */
export function findRow(
  call: Pick<AnyCall, 'context' | 'memo'> & { requestMemo?: Memo },
  kind: Kind,
  id: number,
): Promise<ContentRow | undefined> {
  return find({ requestMemo: call.memo, ...call }, rowsOf(kind), id);
}

function rowsOf({ type }: Kind) {
  return { table: content, kind: eq(content.type, type), path: type };
}

/** Loads a row by ID. @throws RestError if it doesn't exist */
export async function loadRow(call: AnyCall<'rest_post_invalid_id'>, kind: Kind, id: number): Promise<ContentRow> {
  const row = await findRow(call, kind, id);
  if (!row) throw call.refuse('rest_post_invalid_id', 'No item with this ID.');
  return row;
}

/** Evicts a row after a write, so that it is loaded again. */
export function evictRow(call: Pick<AnyCall, 'memo'>, { type, id }: Pick<ContentRow, 'type' | 'id'>): void {
  evict(call, rowsOf({ type }), id);
}

/** A password in the query must be correct for every caller, even if the row has none. */
function isWrongPassword({ query, sources }: ItemCall, row: ContentRow): boolean {
  const { password } = query;
  return password !== undefined && password !== '' && sources.get('password') === 'query' && password !== row.password;
}
