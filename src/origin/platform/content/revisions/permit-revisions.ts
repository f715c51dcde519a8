import { refuse, RestError, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { findRow } from '../answer-item.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { mayDelete, mayEdit } from '../content-rights.ts';
import { cannotDelete } from '../writing/permit-writing.ts';
import { loadRevision } from './load-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

/** Revisions are seen by who may edit what they are states of. */
export async function permitReading(call: AnyCall, kind: RevisionKind, parentId: number): Promise<void> {
  const parent = await loadParent(call, kind, parentId);
  if (!mayEdit(parent, call.caller))
    throw refuse(call.caller, 'rest_cannot_read', 'You may not see what this was before.');
}

/**
 * Revisions are deleted by who may delete what they are states of: what the path names, and what the revision really
 * belongs to, as the path may name another. Revisions have no trash: who reads one without `force` is not told in `Allow`
 * that DELETE would do at the same address, as it would be refused.
 */
export async function permitRevisionDeletion(
  call: AnyCall & { params: { parent: number; id: number }; query: { force: boolean } },
  kind: RevisionKind,
): Promise<void> {
  const { caller, params } = call;
  if (call.isOffered && !call.query.force) throw cannotDelete(caller);
  const parent = await loadParent(call, kind, params.parent);
  if (!mayDelete(parent, caller)) throw cannotDelete(caller);
  const revision = await loadRevision(call, params.id);
  const owner = await findRow(call, kind, revision.parentId);
  if (!owner || !mayDelete(owner, caller)) throw cannotDelete(caller);
}

async function loadParent(call: AnyCall, kind: ContentKind, id: number): Promise<ContentRow> {
  const row = await findRow(call, kind, id);
  if (!row) throw new RestError('rest_post_invalid_parent', 404, 'No parent item with this ID.');
  return row;
}
