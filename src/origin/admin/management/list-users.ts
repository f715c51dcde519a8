import { asc } from 'drizzle-orm';
import { z } from 'zod';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { user } from '#origin/platform/store/schema.ts';
import { command } from './command.ts';
import { countOf } from './count-of.ts';

/** All accounts, without their passwords' hashes. */
export function listAccounts(context: OriginContext) {
  return context.store.db
    .select({
      id: user.id,
      login: user.login,
      email: user.email,
      name: user.name,
      role: user.role,
      active: user.active,
    })
    .from(user)
    .orderBy(asc(user.id));
}

/** The users of the publishing site. */
export const listUsers = command(z.strictObject({}), async (context) => {
  const rows = await listAccounts(context);
  return { message: countOf(rows.length, 'user'), rows };
});
