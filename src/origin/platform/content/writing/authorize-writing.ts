import { can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, RestError } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { loadRow } from '../get-item.ts';
import { canDelete, canEdit } from '../content-rights.ts';
import type { WritingCall, WritingItemCall } from './plan-content.ts';

/**
 * Authorizes creation. Requires the right to edit this kind, and for another author the right to edit others' rows.
 */
export function authorizeCreation(kind: ContentKind): (call: WritingCall) => void {
  return (call) => {
    const { caller, others: undeclared } = call;
    const id = undeclared['id'];
    if (id !== undefined && id !== '' && Number(id) !== 0)
      throw call.refuse('rest_post_exists', 'A new item can not have an ID.');
    rejectForeignFields(call, kind);
    if (!can(caller, kind.rights.edit))
      throw call.refuse('rest_cannot_create', 'You are not allowed to create this item.');
    rejectTerms(call, kind);
  };
}

/** Checks the ID, then the right to edit the row, then the rights for the changed fields. */
export function authorizeUpdate(kind: ContentKind): (call: WritingItemCall) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!canEdit(row, call.caller)) throw createCannotEditError(call);
    rejectForeignFields(call, kind);
    rejectTerms(call, kind);
  };
}

export function authorizeDeletion(
  kind: ContentKind,
): (call: AnyCall<'rest_post_invalid_id' | 'rest_cannot_delete'> & { params: { id: number } }) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!canDelete(row, call.caller)) throw createCannotDeleteError(call);
  };
}

export function createCannotEditError({ refuse }: Pick<AnyCall<'rest_cannot_edit'>, 'refuse'>): RestError {
  return refuse('rest_cannot_edit', 'You are not allowed to edit this item.');
}

export function createCannotDeleteError({ refuse }: AnyCall<'rest_cannot_delete'>): RestError {
  return refuse('rest_cannot_delete', 'You are not allowed to delete this item.');
}

export function rejectForeignAuthor(
  { caller, body, refuse }: AnyCall<'rest_cannot_edit_others'> & { body: { author?: number | undefined } },
  { rights }: ContentKind,
): void {
  if (body.author && body.author !== caller.user?.id && !can(caller, rights.editOthers))
    throw refuse('rest_cannot_edit_others', 'You are not allowed to write as another user.');
}

function rejectForeignFields(call: WritingCall, kind: ContentKind): void {
  const { caller, body, refuse } = call;
  const { rights } = kind;
  rejectForeignAuthor(call, kind);
  if (body.sticky === true && !can(caller, rights.editOthers) && !can(caller, rights.publish))
    throw refuse('rest_cannot_assign_sticky', 'You are not allowed to make this item sticky.');
}

function rejectTerms({ caller, body, refuse }: WritingCall, { terms }: ContentKind): void {
  if (terms.some(({ parameter }) => body[parameter] !== undefined) && !can(caller, 'edit_posts'))
    throw refuse('rest_cannot_assign_term', 'You are not allowed to assign terms.');
}
