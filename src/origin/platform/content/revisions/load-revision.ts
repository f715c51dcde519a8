import { and, desc, eq } from 'drizzle-orm';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { findRow } from '../get-item.ts';
import { canDelete, canEdit } from '../content-rights.ts';
import { autosaveSlug } from '../write-content.ts';
import { createCannotDeleteError } from '../writing/plan-content.ts';
import type { z } from 'zod';

/** Loads a revision or autosave. @throws RestError if it doesn't exist */
export function loadRevision(call: AnyCall<'rest_post_invalid_id'>, id: number): Promise<ContentRow> {
  return call.memo.once(revisionKey(id), async () => {
    const [row] = await call.context.store.db
      .select()
      .from(content)
      .where(and(eq(content.id, id), eq(content.type, 'revision')))
      .limit(1);
    if (!row) throw call.refuse('rest_post_invalid_id', 'No revision with this ID.');
    return row;
  });
}

export function revisionKey(id: number): string {
  return `revision ${id}`;
}

/** Finds the autosaves of a row, latest first; at most one per user. */
export function findAutosaves(db: Pick<Database, 'select'>, parentId: number): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, parentId), eq(content.slug, autosaveSlug(parentId))))
    .orderBy(desc(content.id));
}

/** Authorizes reading revisions, which requires the right to edit their row. */
export async function authorizeRevisionReading(
  call: AnyCall<'rest_post_invalid_parent' | 'rest_cannot_read'>,
  kind: RevisionKind,
  parentId: number,
): Promise<void> {
  const parent = await loadParent(call, kind, parentId);
  if (!canEdit(parent, call.caller))
    throw call.refuse('rest_cannot_read', 'You are not allowed to view the revisions of this item.');
}

/**
 * Authorizes deletion, which requires the right to delete both the row in the path and the revision's actual row.
 *
 * `Allow` doesn't list DELETE without `force`, as revisions have no trash.
 */
export async function authorizeRevisionDeletion(
  call: AnyCall<RouteErrors<ContentRoutes['removeRevision']>> & {
    params: { parent: number; id: number };
    query: { force: boolean };
  },
  kind: RevisionKind,
): Promise<void> {
  const { caller, params } = call;
  if (call.isOffered && !call.query.force) throw createCannotDeleteError(call);
  const parent = await loadParent(call, kind, params.parent);
  if (!canDelete(parent, caller)) throw createCannotDeleteError(call);
  const revision = await loadRevision(call, params.id);
  const owner = await findRow(call, kind, revision.parentId);
  if (!owner || !canDelete(owner, caller)) throw createCannotDeleteError(call);
}

async function loadParent(
  call: AnyCall<'rest_post_invalid_parent'>,
  kind: ContentKind,
  id: number,
): Promise<ContentRow> {
  const row = await findRow(call, kind, id);
  if (!row) throw call.refuse('rest_post_invalid_parent', 'No parent item with this ID.');
  return row;
}

/** Content kind with revisions. */
export interface RevisionKind extends ContentKind {
  /** Autosaves have all fields of revisions and a preview link. */
  routes: { getAutosave: { response: z.ZodObject } };
}
