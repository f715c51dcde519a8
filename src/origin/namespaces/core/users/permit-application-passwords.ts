import type { introspectApplicationPassword } from '#contracts/core/index.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import type { AnyCall, Call } from '#origin/platform/http/transport/index.ts';
import { loadUser } from './load-user.ts';
import { mayEditUser } from './permit-user-writing.ts';
import { signedIn } from '#origin/platform/http/transport/signed-in.ts';

export type PasswordCall = AnyCall<'rest_user_invalid_id'> & { params: { user_id: string } };

/** Application passwords are for their user and for who manages users. */
export function permitPasswords<Code extends string>(
  code: Code,
): (call: PasswordCall & AnyCall<Code>) => Promise<void> {
  return async (call) => {
    const owner = await ownerOf(call);
    if (!mayEditUser(owner, call.caller)) throw call.refuse(code, 'These are passwords of another user.');
  };
}

/** The password in use is nobody's business but its user's. */
export async function permitIntrospection(call: Call<typeof introspectApplicationPassword>): Promise<void> {
  const owner = await ownerOf(call);
  if (owner.id !== call.caller.user?.id)
    throw call.refuse(
      'rest_cannot_introspect_app_password_for_non_authenticated_user',
      'You may only look at the password that you show yourself.',
    );
}

/** Whose passwords a call is about. @throws when there is no such user */
export async function ownerOf(call: PasswordCall): Promise<UserRow> {
  const { user_id: sent } = call.params;
  return sent === 'me' ? signedIn(call.caller) : loadUser(call, Number(sent));
}
