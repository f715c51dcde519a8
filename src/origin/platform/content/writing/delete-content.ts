import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray } from 'drizzle-orm';
import type { deletePost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { item, type RouteResult, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentKind, ContentKinds, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite, type Site } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, contentTerm } from '#origin/platform/store/schema.ts';
import { loadRow } from '../read-content.ts';
import { canDelete } from '../content-rights.ts';
import { findFreeSlug } from '../slugs.ts';
import { saveRevision, writeContent } from '../write-content.ts';
import { createCannotDeleteError, trashedSlug } from './plan-content.ts';
import { presentWritten, announceContent } from './create-content.ts';
import type { Present } from '../present-content.ts';
import { updateRow, loadForUpdate } from './update-content.ts';

export type DeletionCall = AnyCall<RouteErrors<typeof deletePost>> & {
  params: { id: number };
  query: { force: boolean };
};

/** Response for a permanent deletion. */
interface Deleted<T> {
  deleted: true;
  previous: T;
}

/** Moves a row to the trash, or deletes it permanently with everything that belongs to it. */
export async function deleteContent<T>(
  call: DeletionCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T | Deleted<T>>> {
  return call.query.force ? deleteForGood(call, kind, present) : moveToTrash(call, kind, present);
}

async function moveToTrash<T>(
  call: DeletionCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T | Deleted<T>>> {
  const { context, caller } = call;
  const site = await loadSite(call);
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await loadForDeletion(tx, call, kind);
    return trashRow(tx, call, before, { kind, site, callerId: caller.user?.id ?? 0 });
  });
  return item(await presentWritten(call, kind, row, present));
}

/** Presents the row before deleting it, and repeats both if the row changes in between. */
async function deleteForGood<T>(
  call: DeletionCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T | Deleted<T>>> {
  const { context, params } = call;
  for (;;) {
    const row = await loadRow(call, kind, params.id);
    const previous = presentPrevious(await presentWritten(call, kind, row, present), row.id, call);
    const isGone = await writeContent(context.store.db, async (tx) => {
      const before = await loadForDeletion(tx, call, kind);
      if (!isDeepStrictEqual(before, row)) return false;
      await removeRow(tx, before, context.kinds);
      await kind.remove?.(tx, before);
      return true;
    });
    if (isGone) return item<Deleted<T>>({ deleted: true, previous });
  }
}

async function loadForDeletion(tx: Transaction, call: DeletionCall, kind: ContentKind): Promise<ContentRow> {
  const row = await loadForUpdate(tx, call, kind, call.params.id);
  if (!canDelete(row, call.caller)) throw createCannotDeleteError(call);
  return row;
}

async function trashRow(
  tx: Transaction,
  { refuse }: DeletionCall,
  before: ContentRow,
  { kind, site, callerId }: { kind: ContentKind; site: Site; callerId: number },
): Promise<ContentRow> {
  if (before.status === 'trash') throw refuse('rest_already_trashed', 'The item is already in the trash.');
  const { id, parentId } = before;
  const owner = { id, type: kind.type, parentId, slug: before.slug };
  const now = new Date();
  const values = {
    status: 'trash',
    statusBeforeTrash: before.status,
    slugBeforeTrash: before.slug,
    slug: await findFreeSlug(tx, trashedSlug(before.slug), owner),
    sticky: false,
    modified: toSiteTime(now, site.timezone),
    modifiedGmt: toSiteTime(now, 'UTC'),
  };
  const after = await updateRow(tx, before, values, { kind });
  await saveRevision(tx, after, callerId);
  await announceContent(tx, before, after);
  return after;
}

/** Deletes a row. Its hierarchical children move up to its parent; its media are detached. */
async function removeRow(tx: Transaction, row: ContentRow, kinds: ContentKinds): Promise<void> {
  const { id, parentId } = row;
  const hierarchical = [...kinds.values()].flatMap(({ type, isHierarchical }) => (isHierarchical ? [type] : []));
  const children = await tx
    .select()
    .from(content)
    .where(and(eq(content.parentId, id), inArray(content.type, hierarchical)));
  await tx.delete(contentTerm).where(eq(contentTerm.contentId, id));
  await tx.delete(comment).where(eq(comment.contentId, id));
  await tx.delete(content).where(and(eq(content.type, 'revision'), eq(content.parentId, id)));
  await tx.delete(content).where(eq(content.id, id));
  await tx
    .update(content)
    .set({ parentId: 0 })
    .where(and(eq(content.type, 'attachment'), eq(content.parentId, id)));
  for (const child of children) {
    const owner = { id: child.id, type: child.type, parentId, slug: child.slug };
    const slug = child.slug === '' ? '' : await findFreeSlug(tx, child.slug, owner);
    await tx.update(content).set({ parentId, slug }).where(eq(content.id, child.id));
    await announceContent(tx, child, child);
  }
  await announceContent(tx, row, undefined);
}
