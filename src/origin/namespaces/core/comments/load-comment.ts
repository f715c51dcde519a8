import { eq } from 'drizzle-orm';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { comment } from '#origin/platform/store/schema.ts';
import type { CommentRow } from './find-comments.ts';

/** A call about a comment that may not be there. */
export type CommentCall = AnyCall<'rest_comment_invalid_id'>;

/** The comment of an id, loaded once for permission and answer. @throws when there is none */
export function loadComment(call: CommentCall, id: number): Promise<CommentRow> {
  const { context, memo } = call;
  return memo.once(commentKey(id), async () => {
    const [row] = await context.store.db.select().from(comment).where(eq(comment.id, id)).limit(1);
    return row ?? refuseUnknown(call);
  });
}

/** After a write: the next to ask for the comment gets it as it is now. */
export function forgetComment({ memo }: Pick<AnyCall, 'memo'>, id: number): void {
  memo.forget(commentKey(id));
}

/** A comment, held until the transaction ends. @throws when there is none */
export async function holdComment(tx: Transaction, call: CommentCall, id: number): Promise<CommentRow> {
  const [row] = await tx.select().from(comment).where(eq(comment.id, id)).for('update');
  return row ?? refuseUnknown(call);
}

function refuseUnknown({ refuse }: CommentCall): never {
  throw refuse('rest_comment_invalid_id', 'There is no comment under this id.');
}

function commentKey(id: number): string {
  return `comment ${id}`;
}
