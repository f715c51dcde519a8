import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { findUserByLogin } from './find-user-by-login.ts';
import type { UserRow } from './user-row.ts';
import { verifyPassword } from './verify-password.ts';

/** The active user whose password this is. Takes the same time whether the user exists or not. */
export async function findPasswordOwner(
  context: OriginContext,
  loginOrEmail: string,
  plain: string,
): Promise<UserRow | undefined> {
  const found = await findUserByLogin(context, loginOrEmail);
  const isRight = await verifyPassword(found?.passwordHash ?? '', plain);
  return found?.active && isRight ? found : undefined;
}
