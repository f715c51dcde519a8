import type { UserRow } from '#origin/platform/accounts/users.ts';
import type { Caller } from '../callers/caller.ts';
import { createCommonError } from './rest-error.ts';

/** Returns the row of the caller. @throws RestError for anonymous callers */
export function requireUser({ user }: Caller): UserRow {
  if (!user) throw createCommonError('rest_not_logged_in', 'You are not signed in.');
  return user;
}
