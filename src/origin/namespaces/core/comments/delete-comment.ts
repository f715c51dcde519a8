import { eq } from 'drizzle-orm';
import type { deleteComment as declaration } from '#contracts/core/comment-routes.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { notifyListeners } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment } from '#origin/platform/store/schema.ts';
import { type CommentRow, evictComment, lockComment } from './find-comments.ts';
import { presentComment } from './present-comment.ts';

type DeletionCall = Call<typeof declaration>;

/** Moves a comment to the trash, or deletes it with `force`. Replies to a deleted comment move to its parent. */
export async function deleteComment(call: DeletionCall): Promise<ResultOf<typeof declaration>> {
  const { context, params, query } = call;
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await lockComment(tx, call, params.id);
    const after = query.force ? await removeComment(tx, before) : await trashComment(tx, call, before);
    await notifyListeners(tx, context, { commented: [before.contentId] });
    return after;
  });
  evictComment(call, row.id);
  const shown = await presentComment(row, call, 'edit');
  return item(query.force ? { deleted: true, previous: presentPrevious(shown, row.id, call) } : shown);
}

async function removeComment(tx: Transaction, row: CommentRow): Promise<CommentRow> {
  await tx.update(comment).set({ parentId: row.parentId }).where(eq(comment.parentId, row.id));
  await tx.delete(comment).where(eq(comment.id, row.id));
  return row;
}

async function trashComment(tx: Transaction, { refuse }: DeletionCall, row: CommentRow): Promise<CommentRow> {
  if (row.status === 'trash') throw refuse('rest_already_trashed', 'The comment is already in the trash.');
  await tx.update(comment).set({ status: 'trash' }).where(eq(comment.id, row.id));
  return { ...row, status: 'trash' };
}
