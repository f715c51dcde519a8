import { count, eq } from 'drizzle-orm';
import type { deleteUser as declaration } from '#contracts/core/user-routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { item, type ResultOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { applicationPassword, comment, content, productToken, session, user } from '#origin/platform/store/schema.ts';
import { notifyListeners } from '#origin/platform/registry/change-listener.ts';
import { evictUser } from './find-users.ts';
import { presentUser } from './present-user.ts';
import { lockUser } from './update-user.ts';
import { requireOtherAdministrator } from './write-users.ts';

type DeletionCall = AnyCall<RouteErrors<typeof declaration>> & { query: { force: boolean; reassign: number } };

/** Deletes a user and returns the deleted user. Their content must be reassigned to another user. */
export async function deleteUser(call: DeletionCall, id: number): Promise<ResultOf<typeof declaration>> {
  const { context, query } = call;
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Users do not support trashing. Set force=true to delete.');
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await lockUser(tx, call, id);
    if (before.role === 'administrator') await requireOtherAdministrator(tx, call, id);
    const reassigned = await reassignContent(tx, call, id, query.reassign);
    for (const table of [session, applicationPassword, productToken])
      await tx.delete(table).where(eq(table.userId, id));
    // Comments keep the author's name only.
    const signature = { authorId: 0, authorEmail: '', authorUrl: '' };
    await tx.update(comment).set(signature).where(eq(comment.authorId, id));
    await tx.delete(user).where(eq(user.id, id));
    await announce(tx, { what: 'user', id: String(id), action: 'deleted' });
    await notifyListeners(tx, context, { users: [id], content: reassigned });
    return before;
  });
  evictUser(call, id);
  const shown = presentUser(row, { call, context: 'edit', site: await loadSite(call) });
  return item({ deleted: true, previous: presentPrevious(shown, id, call) });
}

/** @returns IDs of the reassigned content */
async function reassignContent(
  tx: Transaction,
  { refuse }: DeletionCall,
  fromId: number,
  toId: number,
): Promise<number[]> {
  const [newAuthor] =
    toId === fromId ? [] : await tx.select({ id: user.id }).from(user).where(eq(user.id, toId)).limit(1);
  if (newAuthor) {
    const isOwned = eq(content.authorId, fromId);
    const rows = await tx.update(content).set({ authorId: newAuthor.id }).where(isOwned).returning({ id: content.id });
    return rows.map((row) => row.id);
  }
  const [owned] = await tx.select({ rows: count() }).from(content).where(eq(content.authorId, fromId));
  if (toId === 0 && owned?.rows === 0) return [];
  throw refuse(
    'rest_user_invalid_reassign',
    `${owned?.rows ?? 0} posts and pages would have no author. Set reassign to the ID of another user.`,
  );
}
