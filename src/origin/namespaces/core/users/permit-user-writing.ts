import type { createUser, deleteUser, updateUser } from '#contracts/core/index.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { invalidParameters, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
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

export function permitOwnChange(call: AnyCall): void {
  refuseOtherUser(call);
}

export function permitOwnDeletion(call: AnyCall<'rest_user_cannot_delete'>): void {
  refuseOtherUser(call);
  refuseDeletion(call);
}

/** Refuses a request that names another user than the caller, as other routes refuse what their path does not say. */
function refuseOtherUser({ caller, others }: AnyCall): void {
  const { id } = requireUser(caller);
  const sent = others['id'];
  if (sent === undefined || Number(sent) === id) return;
  const text = `id is ${String(sent)}, and your own is ${id}: leave id out, or send this to users/${String(sent)}.`;
  throw invalidParameters([{ name: 'id', text }]);
}

export function mayEditUser({ id }: UserRow, caller: Caller): boolean {
  return caller.user?.id === id || can(caller, 'edit_users');
}

function refuseDeletion({ caller, refuse }: AnyCall<'rest_user_cannot_delete'>): void {
  if (!can(caller, 'delete_users')) throw refuse('rest_user_cannot_delete', 'You may not delete users.');
}
