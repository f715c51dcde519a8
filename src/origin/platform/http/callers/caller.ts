import type { UserRow } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Permissions } from '#origin/platform/registry/permissions.ts';
import type { ContentAction } from '#origin/platform/registry/content-kind.ts';
import type { Right } from '#origin/platform/registry/rights.ts';

/** Who asks. Without a user: anybody. */
export interface Caller {
  user?: UserRow;
  /** What the role of the user may do on this site. */
  permissions?: Permissions;
  /** The application password that was shown, by its uuid. */
  applicationPassword?: string;
  /** The browser session that asks, by its id. */
  session?: string;
}

export const ANONYMOUS: Caller = {};

/** A user with what their role may do. */
export function signedIn(user: UserRow, { permissions }: Pick<OriginContext, 'permissions'>): Caller {
  return { user, permissions: permissions[user.role] };
}

/** Whether the caller has a right; nobody has any without signing in. */
export function can(caller: Caller, right: Right): boolean {
  return caller.permissions?.rights.has(right) ?? false;
}

/** Whether the caller may do something with rows of a type, as far as that does not hang on the row. */
export function isAllowed(caller: Caller, type: string, action: ContentAction): boolean {
  return caller.permissions?.content.get(type)?.has(action) ?? false;
}
