import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { refuse, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { loadTerm } from './answer-terms.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';

type AnyItemCall = AnyCall & { params: { id: number } };

export function permitNewTerm({ mayAdd }: TermKind): (call: AnyCall) => void {
  return ({ caller }) => {
    if (!can(caller, mayAdd)) throw refuse(caller, 'rest_cannot_create', 'You may not add terms of this kind.');
  };
}

export function permitTermChange(kind: TermKind): (call: AnyItemCall) => Promise<void> {
  return async (call) => {
    await loadTerm(call, kind, call.params.id);
    refuseOthers(call.caller, 'rest_cannot_update', 'You may not change this term.');
  };
}

/** Nobody may delete the category that posts without one get. */
export function permitTermDeletion(kind: TermKind): (call: AnyItemCall) => Promise<void> {
  return async (call) => {
    const { id } = await loadTerm(call, kind, call.params.id);
    const { default_category: usual } = await loadSite(call);
    refuseOthers(call.caller, 'rest_cannot_delete', 'You may not delete this term.');
    if (id === usual) throw refuse(call.caller, 'rest_cannot_delete', 'The default category can not be deleted.');
  };
}

function refuseOthers(caller: Caller, code: string, message: string): void {
  if (!can(caller, 'manage_categories')) throw refuse(caller, code, message);
}
