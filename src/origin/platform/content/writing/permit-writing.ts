import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { refuse, RestError, type Call } from '#origin/platform/http/transport/index.ts';
import { loadRow } from '../answer-item.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { mayDelete, mayEdit } from '../content-rights.ts';
import type { WritingCall, WritingItemCall } from './written-content.ts';

/** New rows are for who writes this kind of content, in the name of others only for who edits theirs. */
export function permitCreation(kind: ContentKind): (call: WritingCall) => void {
  return (call) => {
    const { caller, others } = call;
    const id = others['id'];
    if (id !== undefined && id !== '' && Number(id) !== 0)
      throw new RestError('rest_post_exists', 400, 'What is created can not have an id yet.');
    refuseForeignFields(call, kind);
    if (!can(caller, kind.rights.edit)) throw refuse(caller, 'rest_cannot_create', 'You may not create this.');
    refuseTerms(call, kind);
  };
}

/** Unknown ids come first, then the right to edit the row, then that to what is to be changed. */
export function permitUpdate(kind: ContentKind): (call: WritingItemCall) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!mayEdit(row, call.caller)) throw cannotEdit(call.caller);
    refuseForeignFields(call, kind);
    refuseTerms(call, kind);
  };
}

export function permitDeletion(kind: ContentKind): (call: Call & { params: { id: number } }) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!mayDelete(row, call.caller)) throw cannotDelete(call.caller);
  };
}

export function cannotEdit(caller: Caller): RestError {
  return refuse(caller, 'rest_cannot_edit', 'You may not edit this.');
}

export function cannotDelete(caller: Caller): RestError {
  return refuse(caller, 'rest_cannot_delete', 'You may not delete this.');
}

function refuseForeignFields({ caller, body }: WritingCall, { rights }: ContentKind): void {
  if (body.author && body.author !== caller.user?.id && !can(caller, rights.editOthers))
    throw refuse(caller, 'rest_cannot_edit_others', 'You may not write in the name of another user.');
  if (body.sticky === true && !can(caller, rights.editOthers) && !can(caller, rights.publish))
    throw refuse(caller, 'rest_cannot_assign_sticky', 'You may not make this sticky.');
}

function refuseTerms({ caller, body }: WritingCall, { terms }: ContentKind): void {
  if (terms.some(({ parameter }) => body[parameter] !== undefined) && !can(caller, 'edit_posts'))
    throw refuse(caller, 'rest_cannot_assign_term', 'You may not assign terms.');
}
