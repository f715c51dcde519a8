import { eq } from 'drizzle-orm';
import { item, RestError, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { comment } from '#origin/platform/store/schema.ts';
import type { CommentRow } from './find-comments.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { withoutLinks } from '#origin/platform/content/writing/without-links.ts';
import { forgetComment, holdComment } from './load-comment.ts';
import { presentComments } from './present-comment.ts';

type DeletionCall = AnyCall & { params: { id: number }; query: { force: boolean } };

/** Moves a comment to the trash, or deletes it for good: what answered it then answers what it answered. */
export async function deleteComment(call: DeletionCall): Promise<Answer> {
  const { context, params, query } = call;
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await holdComment(tx, params.id);
    return query.force ? removeComment(tx, before) : trashComment(tx, before);
  });
  forgetComment(call, row.id);
  const [shown = {}] = await presentComments([row], call, 'edit');
  return item(query.force ? { deleted: true, previous: withoutLinks(shown, row.id, call) } : shown);
}

async function removeComment(tx: Transaction, row: CommentRow): Promise<CommentRow> {
  await tx.update(comment).set({ parentId: row.parentId }).where(eq(comment.parentId, row.id));
  await tx.delete(comment).where(eq(comment.id, row.id));
  return row;
}

async function trashComment(tx: Transaction, row: CommentRow): Promise<CommentRow> {
  if (row.status === 'trash') throw new RestError('rest_already_trashed', 410, 'It is in the trash already.');
  await tx.update(comment).set({ status: 'trash' }).where(eq(comment.id, row.id));
  return { ...row, status: 'trash' };
}
