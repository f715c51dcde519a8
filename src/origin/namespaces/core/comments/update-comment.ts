import { eq } from 'drizzle-orm';
import type { updateComment as declaration } from '#contracts/core/comment-routes.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { notifyListeners } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { comment } from '#origin/platform/store/schema.ts';
import { evictComment, lockComment } from './find-comments.ts';
import { presentComment } from './present-comment.ts';
import { loadCommentAuthor, parseCommentAuthor, parseCommentDates, parseCommentText } from './write-comments.ts';

/** Updates the given fields of a comment. Its post and its parent cannot change. */
export async function updateComment(call: Call<typeof declaration>): Promise<ResultOf<typeof declaration>> {
  const { body, context, params } = call;
  const site = await loadSite(call);
  const text = body.content === undefined ? {} : { text: await parseCommentText(body.content, call) };
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await lockComment(tx, call, params.id);
    const values = {
      ...(body.date === undefined && body.date_gmt === undefined ? {} : parseCommentDates(body, site)),
      ...text,
      ...(body.status === undefined ? {} : { status: body.status }),
      ...(body.author ? await loadCommentAuthor(tx, call, body.author) : {}),
      ...(body.author === 0 ? { authorId: 0 } : {}),
      ...parseCommentAuthor(body),
    };
    if (Object.keys(values).length > 0) await tx.update(comment).set(values).where(eq(comment.id, before.id));
    await notifyListeners(tx, context, { commented: [before.contentId] });
    return { ...before, ...values };
  });
  evictComment(call, row.id);
  return item(await presentComment(row, call, 'edit'));
}
