import { eq, or, sql } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { user } from '#origin/platform/store/schema.ts';
import type { UserRow } from './user-row.ts';

/** The user of a login or mail address, in any case; a login goes before another's address. */
export async function findUserByLogin(context: OriginContext, loginOrEmail: string): Promise<UserRow | undefined> {
  const wanted = loginOrEmail.trim().toLowerCase();
  const isLogin = eq(sql`lower(${user.login})`, wanted);
  const [found] = await context.store.db
    .select()
    .from(user)
    .where(or(isLogin, eq(user.email, wanted)))
    .orderBy(sql`case when ${isLogin} then 0 else 1 end`)
    .limit(1);
  return found;
}
