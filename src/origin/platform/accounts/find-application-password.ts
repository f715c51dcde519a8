import { and, eq } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { findUserByLogin } from './find-user-by-login.ts';
import { hashApplicationPassword } from './hash-application-password.ts';
import type { UserRow } from './user-row.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The active user who may act by this login (or mail address) and application password. Notes the use and the
 * caller's address, at most once a day. Looks as long for the password of nobody, so that time does not tell who exists.
 */
export async function findApplicationPassword(
  context: OriginContext,
  loginOrEmail: string,
  password: string,
  address?: string,
): Promise<{ user: UserRow; uuid: string } | undefined> {
  const user = await findUserByLogin(context, loginOrEmail);
  const [found] = await context.store.db
    .select({ uuid: applicationPassword.uuid, lastUsedAt: applicationPassword.lastUsedAt })
    .from(applicationPassword)
    .where(
      and(
        eq(applicationPassword.hash, hashApplicationPassword(password)),
        eq(applicationPassword.userId, user?.id ?? 0),
      ),
    );
  if (!found || !user?.active) return undefined;
  if (!found.lastUsedAt || Date.now() - found.lastUsedAt.getTime() >= DAY_MS) {
    await context.store.db
      .update(applicationPassword)
      .set({ lastUsedAt: new Date(), ...(address && { lastIp: address }) })
      .where(eq(applicationPassword.uuid, found.uuid));
  }
  return { user, uuid: found.uuid };
}
