import { count, eq } from 'drizzle-orm';
import { announce } from '#origin/platform/events/index.ts';
import { item, RestError, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/index.ts';
import { applicationPassword, comment, content, productToken, session, user } from '#origin/platform/store/schema.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { withoutLinks } from '#origin/platform/content/writing/without-links.ts';
import { forgetUser } from './load-user.ts';
import { presentUser } from './present-user.ts';
import { loadForWriting } from './update-user.ts';
import { keepAdministrator } from './written-user.ts';

type DeletionCall = AnyCall & { query: { force: boolean; reassign: number } };

/** Deletes a user and answers how they were. What they wrote goes to another user: nothing is left without an author. */
export async function deleteUser(call: DeletionCall, id: number): Promise<Answer> {
  const { context, query } = call;
  if (!query.force)
    throw new RestError('rest_trash_not_supported', 501, 'Users have no trash. Send force=true to delete for good.');
  const row = await retryTransaction(context.store.db, async (tx) => {
    const before = await loadForWriting(tx, id);
    if (before.role === 'administrator') await keepAdministrator(tx, id);
    await handOver(tx, id, query.reassign);
    for (const owned of [session, applicationPassword, productToken])
      await tx.delete(owned).where(eq(owned.userId, id));
    // Comments keep the name they are signed with, and nothing else of the user.
    const signature = { authorId: 0, authorEmail: '', authorUrl: '' };
    await tx.update(comment).set(signature).where(eq(comment.authorId, id));
    await tx.delete(user).where(eq(user.id, id));
    await announce(tx, { what: 'user', id: String(id), action: 'deleted' });
    return before;
  });
  forgetUser(call, id);
  const shown = presentUser(row, { call, context: 'edit', site: await loadSite(call) });
  return item({ deleted: true, previous: withoutLinks(shown, id, call) });
}

async function handOver(tx: Transaction, fromId: number, toId: number): Promise<void> {
  const [heir] = toId === fromId ? [] : await tx.select({ id: user.id }).from(user).where(eq(user.id, toId)).limit(1);
  if (heir) {
    await tx.update(content).set({ authorId: heir.id }).where(eq(content.authorId, fromId));
    return;
  }
  const [owned] = await tx.select({ rows: count() }).from(content).where(eq(content.authorId, fromId));
  if (toId === 0 && owned?.rows === 0) return;
  throw new RestError(
    'rest_user_invalid_reassign',
    400,
    `Name another user in reassign: ${owned?.rows ?? 0} rows of content would be left without an author.`,
  );
}
