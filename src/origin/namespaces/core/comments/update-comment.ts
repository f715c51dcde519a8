import { eq } from 'drizzle-orm';
import { item, type Answer } from '#origin/platform/http/transport/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { comment } from '#origin/platform/store/schema.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { forgetComment, holdComment } from './load-comment.ts';
import type { CommentWritingCall } from './permit-comment-writing.ts';
import { presentComments } from './present-comment.ts';
import { authorshipOf, readAuthorFields, readDates, readText } from './written-comment.ts';

/** Changes what was sent of a comment; what it is about and what it answers stay. */
export async function updateComment(call: CommentWritingCall & { params: { id: number } }): Promise<Answer> {
  const { body, caller, context, params } = call;
  const site = await loadSite(call);
  const row = await retryTransaction(context.store.db, async (tx) => {
    const before = await holdComment(tx, params.id);
    const values = {
      ...(body.date === undefined && body.date_gmt === undefined ? {} : readDates(body, site)),
      ...(body.content === undefined ? {} : { text: await readText(body.content, caller) }),
      ...(body.status === undefined ? {} : { status: body.status }),
      ...(body.author ? await authorshipOf(tx, body.author) : {}),
      ...(body.author === 0 ? { authorId: 0 } : {}),
      ...readAuthorFields(body),
    };
    if (Object.keys(values).length > 0) await tx.update(comment).set(values).where(eq(comment.id, before.id));
    return { ...before, ...values };
  });
  forgetComment(call, row.id);
  const [shown] = await presentComments([row], call, 'edit');
  return item(shown);
}
