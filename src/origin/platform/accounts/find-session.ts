import { and, eq, gt } from 'drizzle-orm';
import { parse } from 'hono/utils/cookie';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { session, user } from '#origin/platform/store/schema.ts';
import { hashSecret } from './hash-secret.ts';
import { SESSION_COOKIE } from './session-cookie.ts';
import type { UserRow } from './user-row.ts';

export interface BrowserSession {
  /** The hash of the session's key: binds forms to it, and is no secret worth stealing. */
  id: string;
  user: UserRow;
}

/** The session of a `Cookie` header, while it has not expired and its user is active. */
export async function findSession(
  context: OriginContext,
  cookieHeader: string | undefined,
): Promise<BrowserSession | undefined> {
  const key = cookieHeader && parse(cookieHeader, SESSION_COOKIE)[SESSION_COOKIE];
  if (!key) return undefined;
  const id = hashSecret(key);
  const [found] = await context.store.db
    .select({ user })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.hash, id), gt(session.expiresAt, new Date()), eq(user.active, true)))
    .limit(1);
  return found && { id, user: found.user };
}
