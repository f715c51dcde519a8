import type { createUser, deleteUser, updateUser } from '#contracts/core/index.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import type { AnyCall, Call } from '#origin/platform/http/transport/index.ts';
import { signedIn } from '#origin/platform/http/transport/signed-in.ts';
import { loadUser } from './find-users.ts';

export function permitNewUser({ caller, refuse }: Call<typeof createUser>): void {
  if (!can(caller, 'create_users')) throw refuse('rest_cannot_create_user', 'You may not add users.');
}

/** Users change themselves; others are for who manages users. */
export async function permitUserChange(call: Call<typeof updateUser>): Promise<void> {
  const row = await loadUser(call, call.params.id);
  if (!mayEditUser(row, call.caller)) throw call.refuse('rest_cannot_edit', 'You may not change this user.');
}

export async function permitUserDeletion(call: Call<typeof deleteUser>): Promise<void> {
  await loadUser(call, call.params.id);
  refuseDeletion(call);
}

export function permitOwnChange({ caller }: AnyCall): void {
  signedIn(caller);
}

export function permitOwnDeletion(call: AnyCall<'rest_user_cannot_delete'>): void {
  signedIn(call.caller);
  refuseDeletion(call);
}

export function mayEditUser({ id }: UserRow, caller: Caller): boolean {
  return caller.user?.id === id || can(caller, 'edit_users');
}

function refuseDeletion({ caller, refuse }: AnyCall<'rest_user_cannot_delete'>): void {
  if (!can(caller, 'delete_users')) throw refuse('rest_user_cannot_delete', 'You may not delete users.');
}
