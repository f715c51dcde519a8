import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { SortimentError } from '#contracts/index.ts';
import { findUserByLogin } from '#origin/platform/accounts/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { session, user } from '#origin/platform/store/schema.ts';
import { command } from './command.ts';

/** Disables an account: its sessions end, its tokens and passwords are refused. What it wrote stays. */
export const disableUser = command(z.strictObject({ login: z.string() }), async (context, { login }) => {
  const found = await findUserByLogin(context, login);
  if (!found) {
    throw new SortimentError('USER_UNKNOWN', `There is no user "${login}".`, {
      hint: 'See `user list` for the users.',
    });
  }
  await retryTransaction(context.store.db, async (tx) => {
    await tx.update(user).set({ active: false }).where(eq(user.id, found.id));
    await tx.delete(session).where(eq(session.userId, found.id));
  });
  return { message: `User ${found.login} is disabled.`, id: found.id, login: found.login };
});
