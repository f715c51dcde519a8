import type { createUser, deleteUser, updateUser } from '#contracts/core/user-routes.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import { invalidParameters } from '#origin/platform/http/transport/rest-error.ts';
import { type AnyCall, type Call, requireUser } from '#origin/platform/http/transport/call.ts';
import { loadUser } from './find-users.ts';

export function authorizeUserCreate({ caller, refuse }: Call<typeof createUser>): void {
  if (!can(caller, 'create_users')) throw refuse('rest_cannot_create_user', 'You are not allowed to create users.');
}

/** Users can edit themselves. Editing others requires `edit_users`. */
export async function authorizeUserUpdate(call: Call<typeof updateUser>): Promise<void> {
  const row = await loadUser(call, call.params.id);
  if (!canEditUser(row, call.caller)) throw call.refuse('rest_cannot_edit', 'You are not allowed to edit this user.');
}

export async function authorizeUserDelete(call: Call<typeof deleteUser>): Promise<void> {
  await loadUser(call, call.params.id);
  requireDeleteRight(call);
}

export function authorizeSelfUpdate(call: AnyCall): void {
  rejectOtherUser(call);
}

export function authorizeSelfDelete(call: AnyCall<'rest_user_cannot_delete'>): void {
  rejectOtherUser(call);
  requireDeleteRight(call);
}

/** Rejects a request whose `id` parameter is not the caller's. Other routes reject an `id` that differs from their path. */
function rejectOtherUser({ caller, others }: AnyCall): void {
  const { id } = requireUser(caller);
  const sent = others['id'];
  if (sent === undefined || Number(sent) === id) return;
  const text = `id is ${String(sent)}, but your user ID is ${id}. Omit id, or send the request to users/${String(sent)}.`;
  throw invalidParameters([{ name: 'id', text }]);
}

export function canEditUser({ id }: UserRow, caller: Caller): boolean {
  return caller.user?.id === id || can(caller, 'edit_users');
}

function requireDeleteRight({ caller, refuse }: AnyCall<'rest_user_cannot_delete'>): void {
  if (!can(caller, 'delete_users')) throw refuse('rest_user_cannot_delete', 'You are not allowed to delete users.');
}
