import { and, asc, eq, sql } from 'drizzle-orm';
import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { user } from '#origin/platform/store/schema.ts';
import { canReadProducts } from './product-tokens.ts';
import { findUserByLogin, type UserRow } from './users.ts';

/**
 * Finds the user for a new token: the one with the given login, else the first administrator, else the first user who
 * may read products. Returns undefined if no login is given and there is no such user.
 *
 * @throws {SortimentError} USER_UNKNOWN, USER_NOT_ALLOWED
 */
export async function findTokenUser(context: OriginContext, login?: string): Promise<UserRow | undefined> {
  if (login === undefined) return findFirst(context);
  const found = await findUserByLogin(context, login);
  if (!found) {
    throw new SortimentError('USER_UNKNOWN', `There is no user "${login}".`, {
      hint: 'See `user list` for the users, `user create` for a new one.',
    });
  }
  if (found.active && canReadProducts(found)) return found;
  throw new SortimentError('USER_NOT_ALLOWED', `The user "${login}" may not read products.`, {
    hint: found.active ? 'Give the user another role than subscriber.' : 'The account is disabled: choose another one.',
  });
}

async function findFirst(context: OriginContext): Promise<UserRow | undefined> {
  const [found] = await context.store.db
    .select()
    .from(user)
    .where(and(eq(user.active, true), sql`${user.role} <> 'subscriber'`))
    .orderBy(sql`case when ${user.role} = 'administrator' then 0 else 1 end`, asc(user.id))
    .limit(1);
  return found;
}
