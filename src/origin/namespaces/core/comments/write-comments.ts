import { and, eq, ne } from 'drizzle-orm';
import { getComment, type createComment as declaration, MAX_COMMENT_BYTES } from '#contracts/core/index.ts';
import { fillPath } from '#contracts/index.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { created, type ResultOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import { notifyListeners } from '#origin/platform/registry/change-listener.ts';
import { runTextJob } from '#origin/platform/render/worker/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { loadSite, parseSiteDate, toSiteTime, type Site } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { comment, content, user } from '#origin/platform/store/schema.ts';
import { isModerator, type CommentRow } from './find-comments.ts';
import type { CommentCreationCall, WrittenComment } from './permit-comment-writing.ts';
import { presentComment } from './present-comment.ts';

/** Adds a comment. A moderator's is shown at once, and may be signed and dated otherwise; others wait for approval. */
export async function createComment(call: CommentCreationCall): Promise<ResultOf<typeof declaration>> {
  const { body, caller, context, addresses } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_comment_exists', 'A new comment has no id yet.');
  const text = await readText(body.content, call);
  const moderates = isModerator(caller);
  const dates = readDates(moderates ? body : {}, await loadSite(call));
  // Not while what it is about, or what it answers, is being deleted.
  const row = await writeContent(context.store.db, async (tx) => {
    const { contentId, parentId } = await findPlace(tx, call, body.post ?? 0, body.parent ?? 0);
    const status = body.status ?? (moderates ? 'approved' : 'hold');
    const signed = moderates ? await chooseSignature(tx, call) : signedBy(requireUser(caller));
    const [added] = await tx
      .insert(comment)
      .values({ contentId, parentId, text, status, ...dates, ...signed })
      .returning();
    if (!added) throw new Error('The store did not return the comment it added.');
    await notifyListeners(tx, context, { commented: [contentId] });
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
  if (Object.keys(others).length === 0) return signedBy(requireUser(caller));
  if (others.authorName && others.authorEmail) return others;
  throw refuse('rest_comment_author_data_required', 'Send both author_name and author_email, or neither.');
}

type Authorship = Pick<CommentRow, 'authorId' | 'authorName' | 'authorEmail' | 'authorUrl'>;

/** A text as it is stored: filtered, whoever writes it. @throws when nothing is left of it, or too much */
export async function readText(
  sent: string | undefined,
  { caller, refuse }: AnyCall<'rest_comment_content_invalid' | 'comment_content_column_length'>,
): Promise<string> {
  const filter = can(caller, 'unfiltered_html') ? 'filter' : 'filterInline';
  // Filtering is work: what is far beyond the limit isn't worth it.
  const text =
    (sent ?? '').length > 2 * MAX_COMMENT_BYTES ? (sent ?? '') : (await runTextJob(filter, sent ?? '')).trim();
  if (text === '') throw refuse('rest_comment_content_invalid', 'A comment needs a text.');
  if (Buffer.byteLength(text) > MAX_COMMENT_BYTES)
    throw refuse('comment_content_column_length', `A comment has at most ${MAX_COMMENT_BYTES} bytes.`);
  return text;
}

/** The name of who has no account. */
export function readAuthorFields({ author_name: name, author_email: email, author_url: url }: WrittenComment) {
  return {
    ...(name === undefined ? {} : { authorName: plainText(name) }),
    ...(email === undefined ? {} : { authorEmail: email.toLowerCase() }),
    ...(url === undefined ? {} : { authorUrl: url }),
  };
}

/** A user's names, as they are kept with what the user writes. @throws when there is no such user */
export async function authorshipOf(
  tx: Transaction,
  { refuse }: AnyCall<'rest_comment_invalid_author'>,
  authorId: number,
): Promise<Authorship> {
  const [row] = await tx.select().from(user).where(eq(user.id, authorId)).limit(1);
  if (!row) throw refuse('rest_comment_invalid_author', 'There is no user under the id in author.', { status: 400 });
  return signedBy(row);
}

function signedBy({ id, name, email, url }: UserRow): Authorship {
  return { authorId: id, authorName: name, authorEmail: email, authorUrl: url };
}

/** When it was written: now, unless something else was sent. */
export function readDates(sent: Pick<WrittenComment, 'date' | 'date_gmt'>, { timezone }: Site) {
  const moment =
    (sent.date === undefined ? undefined : parseSiteDate(sent.date, timezone)) ??
    (sent.date_gmt === undefined ? undefined : parseSiteDate(sent.date_gmt, 'UTC')) ??
    new Date();
  return { date: toSiteTime(moment, timezone), dateGmt: toSiteTime(moment, 'UTC') };
}
