import { signedIn } from '#origin/platform/http/transport/signed-in.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { refuse, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { loadUser } from './load-user.ts';

type AnyItemCall = AnyCall & { params: { id: number } };

export function permitNewUser({ caller }: AnyCall): void {
  if (!can(caller, 'create_users')) throw refuse(caller, 'rest_cannot_create_user', 'You may not add users.');
}

/** Users change themselves; others are for who manages users. */
export async function permitUserChange(call: AnyItemCall): Promise<void> {
  const row = await loadUser(call, call.params.id);
  if (!mayEditUser(row, call.caller)) throw refuse(call.caller, 'rest_cannot_edit', 'You may not change this user.');
}

export async function permitUserDeletion(call: AnyItemCall): Promise<void> {
  await loadUser(call, call.params.id);
  refuseDeletion(call.caller);
}

export function permitOwnChange({ caller }: AnyCall): void {
  signedIn(caller);
}

export function permitOwnDeletion({ caller }: AnyCall): void {
  signedIn(caller);
  refuseDeletion(caller);
}

export function mayEditUser({ id }: UserRow, caller: Caller): boolean {
  return caller.user?.id === id || can(caller, 'edit_users');
}

function refuseDeletion(caller: Caller): void {
  if (!can(caller, 'delete_users')) throw refuse(caller, 'rest_user_cannot_delete', 'You may not delete users.');
}
