import type { UserRow } from '#origin/platform/accounts/index.ts';
import { rightsOf, type Right } from '#origin/platform/registry/permissions.ts';

/** Who asks. Without a user: anybody. */
export interface Caller {
  user?: UserRow;
  /** The application password that was shown, by its uuid. */
  applicationPassword?: string;
  /** The browser session that asks, by its id. */
  session?: string;
}

export const ANONYMOUS: Caller = {};

/** Whether the caller has a right; nobody has any without signing in. */
export function can(caller: Caller, right: Right): boolean {
  return caller.user !== undefined && rightsOf(caller.user.role).includes(right);
}
