import type { ContentRoutes } from '#contracts/core/index.ts';
import type { RouteErrors } from '#contracts/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { findRow } from '../answer-item.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { mayDelete, mayEdit } from '../content-rights.ts';
import { cannotDelete } from '../writing/permit-writing.ts';
import { loadRevision } from './load-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

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
