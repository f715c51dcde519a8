import { and, desc, eq } from 'drizzle-orm';
import type { ContentRoutes } from '#contracts/core/index.ts';
import type { RouteErrors } from '#contracts/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { findRow } from '../answer-item.ts';
import { mayDelete, mayEdit } from '../content-rights.ts';
import { autosaveSlug } from '../write-content.ts';
import { cannotDelete } from '../writing/permit-writing.ts';
import type { RevisionKind } from './revision-kind.ts';

/** A revision or autosave. @throws when there is none under the id */
export function loadRevision(call: AnyCall<'rest_post_invalid_id'>, id: number): Promise<ContentRow> {
  return call.memo.once(revisionKey(id), async () => {
    const [row] = await call.context.store.db
      .select()
      .from(content)
      .where(and(eq(content.id, id), eq(content.type, 'revision')))
      .limit(1);
    if (!row) throw call.refuse('rest_post_invalid_id', 'There is no revision under this id.');
    return row;
  });
}

export function revisionKey(id: number): string {
  return `revision ${id}`;
}

/** The autosaves of a row, the newest first: at most one for each user. */
export function findAutosaves(db: Pick<Database, 'select'>, parentId: number): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, parentId), eq(content.slug, autosaveSlug(parentId))))
    .orderBy(desc(content.id));
}

/** Revisions are seen by who may edit what they are states of. */
export async function permitReading(
  call: AnyCall<'rest_post_invalid_parent' | 'rest_cannot_read'>,
  kind: RevisionKind,
  parentId: number,
): Promise<void> {
  const parent = await loadParent(call, kind, parentId);
  if (!mayEdit(parent, call.caller)) throw call.refuse('rest_cannot_read', 'You may not see what this was before.');
}

/**
 * Revisions are deleted by who may delete what they are states of: what the path names, and what the revision really
 * belongs to, as the path may name another. Revisions have no trash: who reads one without `force` is not told in `Allow`
 * that DELETE would do at the same address, as it would be refused.
 */
export async function permitRevisionDeletion(
  call: AnyCall<RouteErrors<ContentRoutes['removeRevision']>> & {
    params: { parent: number; id: number };
    query: { force: boolean };
  },
  kind: RevisionKind,
): Promise<void> {
  const { caller, params } = call;
  if (call.isOffered && !call.query.force) throw cannotDelete(call);
  const parent = await loadParent(call, kind, params.parent);
  if (!mayDelete(parent, caller)) throw cannotDelete(call);
  const revision = await loadRevision(call, params.id);
  const owner = await findRow(call, kind, revision.parentId);
  if (!owner || !mayDelete(owner, caller)) throw cannotDelete(call);
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
