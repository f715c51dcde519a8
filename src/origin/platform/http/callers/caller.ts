import type { UserRow } from '#origin/platform/store/schema.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Permissions, ContentAction } from '#origin/platform/registry/content-kind.ts';
import type { Right } from '#origin/platform/registry/rights.ts';

/** The client of a request. Anonymous without a user. */
export interface Caller {
  user?: UserRow;
  /** Rights of the user's role on this site. */
  permissions?: Permissions;
  /** UUID of the application password used. */
  applicationPassword?: string;
  /** ID of the browser session used. */
  session?: string;
}

export const ANONYMOUS: Caller = {};

export function createCaller(user: UserRow, { permissions }: Pick<OriginContext, 'permissions'>): Caller {
  return { user, permissions: permissions[user.role] };
}

/** Returns true if the caller has a right. Anonymous callers have none. */
export function can(caller: Caller, right: Right): boolean {
  return caller.permissions?.rights.has(right) ?? false;
}

/** Returns true if the caller may perform an action on content of a type, regardless of the row. */
export function isAllowed(caller: Caller, type: string, action: ContentAction): boolean {
  return caller.permissions?.content.get(type)?.has(action) ?? false;
}
