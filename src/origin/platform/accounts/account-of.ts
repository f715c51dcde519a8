import type { UserRow } from './user-row.ts';

/** What failures are counted for: a user under login and mail address alike, or a name that nobody has. */
export function accountOf(user: UserRow | undefined, loginOrEmail: string): string {
  return user ? `user ${user.id}` : `name ${loginOrEmail.trim().toLowerCase()}`;
}
