import { fillPath } from '#contracts/index.ts';
import { and, eq, ne } from 'drizzle-orm';
import { getComment, type createComment as declaration } from '#contracts/core/index.ts';
import { created, type AnswerOf } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { comment, content } from '#origin/platform/store/schema.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { signedIn } from '#origin/platform/http/transport/signed-in.ts';
import { isModerator } from './load-threads.ts';
import type { CommentCreationCall } from './permit-comment-writing.ts';
import { presentComment } from './present-comment.ts';
import { authorshipOf, readAuthorFields, readDates, readText, signedBy } from './written-comment.ts';

/** Adds a comment. A moderator's is shown at once, and may be signed and dated otherwise; others wait for approval. */
export async function createComment(call: CommentCreationCall): Promise<AnswerOf<typeof declaration>> {
  const { body, caller, context, addresses } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_comment_exists', 'A new comment has no id yet.');
  const text = await readText(body.content, call);
  const moderates = isModerator(caller);
  const dates = readDates(moderates ? body : {}, await loadSite(call));
  // Not while what it is about, or what it answers, is being deleted.
  const row = await writeContent(context.store.db, async (tx) => {
    const { contentId, parentId } = await findPlace(tx, call, body.post ?? 0, body.parent ?? 0);
    const status = body.status ?? (moderates ? 'approved' : 'hold');
    const signed = moderates ? await chooseSignature(tx, call) : signedBy(signedIn(caller));
    const [added] = await tx
      .insert(comment)
      .values({ contentId, parentId, text, status, ...dates, ...signed })
      .returning();
    if (!added) throw new Error('The store did not return the comment it added.');
    return added;
  });
  const shown = await presentComment(row, call, moderates ? 'edit' : 'view');
  return created(shown, addresses.rest(fillPath(getComment.path, { id: row.id })));
}

/** @throws when there is nothing to comment on, or when the comment it answers is about something else */
async function findPlace(tx: Transaction, { refuse }: CommentCreationCall, contentId: number, parentId: number) {
  const [thread] = await tx
    .select({ id: content.id })
    .from(content)
    .where(and(eq(content.id, contentId), ne(content.status, 'trash')))
    .limit(1);
  if (!thread) throw refuse('rest_comment_invalid_post_id', 'What it would be about is gone.', { status: 403 });
  if (parentId === 0) return { contentId, parentId };
  const [parent] = await tx
    .select({ id: comment.id })
    .from(comment)
    .where(and(eq(comment.id, parentId), eq(comment.contentId, contentId)))
    .limit(1);
  if (parent) return { contentId, parentId };
  throw refuse('rest_comment_invalid_parent', 'The comment that it answers is not about the same.');
}

/** Moderators write for themselves, for another user, or for somebody who has a name and an e-mail address. */
async function chooseSignature(tx: Transaction, call: CommentCreationCall) {
  const { body, caller, refuse } = call;
  const others = readAuthorFields(body);
  if (body.author) return { ...(await authorshipOf(tx, call, body.author)), ...others };
  if (Object.keys(others).length === 0) return signedBy(signedIn(caller));
  if (others.authorName && others.authorEmail) return others;
  throw refuse('rest_comment_author_data_required', 'Send both author_name and author_email, or neither.');
}
