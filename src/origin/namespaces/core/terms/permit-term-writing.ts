import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { loadTerm } from './answer-terms.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';

type ItemCall<Code extends string> = AnyCall<'rest_term_invalid' | Code> & { params: { id: number } };

export function permitNewTerm({ mayAdd }: TermKind): (call: AnyCall<'rest_cannot_create'>) => void {
  return ({ caller, refuse }) => {
    if (!can(caller, mayAdd)) throw refuse('rest_cannot_create', 'You may not add terms of this kind.');
  };
}

export function permitTermChange(kind: TermKind): (call: ItemCall<'rest_cannot_update'>) => Promise<void> {
  return async (call) => {
    await loadTerm(call, kind, call.params.id);
    if (!can(call.caller, 'manage_categories'))
      throw call.refuse('rest_cannot_update', 'You may not change this term.');
  };
}

/** Nobody may delete the category that posts without one get. */
export function permitTermDeletion(kind: TermKind): (call: ItemCall<'rest_cannot_delete'>) => Promise<void> {
  return async (call) => {
    const { id } = await loadTerm(call, kind, call.params.id);
    const { default_category: usual } = await loadSite(call);
    if (!can(call.caller, 'manage_categories'))
      throw call.refuse('rest_cannot_delete', 'You may not delete this term.');
    if (id === usual) throw call.refuse('rest_cannot_delete', 'The default category can not be deleted.');
  };
}
