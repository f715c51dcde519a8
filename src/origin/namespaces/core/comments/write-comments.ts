import { and, eq, ne } from 'drizzle-orm';
import { getComment, type createComment as declaration, MAX_COMMENT_BYTES } from '#contracts/core/comment-routes.ts';
import { fillPath } from '#contracts/index.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { created, type ResultOf, type AnyCall, requireUser } from '#origin/platform/http/transport/call.ts';
import { notifyListeners } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { loadSite, type Site } from '#origin/platform/site/load-site.ts';
import { parseSiteDate, toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, user } from '#origin/platform/store/schema.ts';
import { isModerator, type CommentRow, type CommentCreationCall, type CommentInput } from './find-comments.ts';
import { presentComment } from './present-comment.ts';

/** Creates a comment. Only moderators can set author and date. Comments of others await approval. */
export async function createComment(call: CommentCreationCall): Promise<ResultOf<typeof declaration>> {
  const { body, caller, context, addresses } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_comment_exists', 'A new comment cannot have an ID.');
  const text = await parseCommentText(body.content, call);
  const canModerate = isModerator(caller);
  const dates = parseCommentDates(canModerate ? body : {}, await loadSite(call));
  // Serialized with deletions of the post and the parent comment.
  const row = await writeContent(context.store.db, async (tx) => {
    const { contentId, parentId } = await findTarget(tx, call, body.post ?? 0, body.parent ?? 0);
    const status = body.status ?? (canModerate ? 'approved' : 'hold');
    const authorship = canModerate ? await chooseAuthorship(tx, call) : toAuthorship(requireUser(caller));
    const [added] = await tx
      .insert(comment)
      .values({ contentId, parentId, text, status, ...dates, ...authorship })
      .returning();
    if (!added) throw new Error('The store did not return the comment it added.');
    await notifyListeners(tx, context, { commented: [contentId] });
    return added;
  });
  const shown = await presentComment(row, call, canModerate ? 'edit' : 'view');
  return created(shown, addresses.rest(fillPath(getComment.path, { id: row.id })));
}

/** @throws RestError if the post does not exist, or if the parent comment belongs to another post */
async function findTarget(tx: Transaction, { refuse }: CommentCreationCall, contentId: number, parentId: number) {
  const [thread] = await tx
    .select({ id: content.id })
    .from(content)
    .where(and(eq(content.id, contentId), ne(content.status, 'trash')))
    .limit(1);
  if (!thread) throw refuse('rest_comment_invalid_post_id', 'The post does not exist anymore.', { status: 403 });
  if (parentId === 0) return { contentId, parentId };
  const [parent] = await tx
    .select({ id: comment.id })
    .from(comment)
    .where(and(eq(comment.id, parentId), eq(comment.contentId, contentId)))
    .limit(1);
  if (parent) return { contentId, parentId };
  throw refuse('rest_comment_invalid_parent', 'The parent comment belongs to another post.');
}

/** Returns the author that a moderator chose: a user, a name with an e-mail address, or by default the moderator. */
async function chooseAuthorship(tx: Transaction, call: CommentCreationCall) {
  const { body, caller, refuse } = call;
  const given = parseCommentAuthor(body);
  if (body.author) return { ...(await loadCommentAuthor(tx, call, body.author)), ...given };
  if (Object.keys(given).length === 0) return toAuthorship(requireUser(caller));
  if (given.authorName && given.authorEmail) return given;
  throw refuse('rest_comment_author_data_required', 'Send both author_name and author_email, or neither.');
}

type Authorship = Pick<CommentRow, 'authorId' | 'authorName' | 'authorEmail' | 'authorUrl'>;

/** Filters the text of a comment. @throws RestError if the result is empty or too long */
export async function parseCommentText(
  sent: string | undefined,
  { caller, refuse }: AnyCall<'rest_comment_content_invalid' | 'comment_content_column_length'>,
): Promise<string> {
  const filter = can(caller, 'unfiltered_html') ? 'filter' : 'filterInline';
  // Texts far beyond the limit are rejected below without the cost of filtering.
  const text =
    (sent ?? '').length > 2 * MAX_COMMENT_BYTES ? (sent ?? '') : (await runTextJob(filter, sent ?? '')).trim();
  if (text === '') throw refuse('rest_comment_content_invalid', 'The comment text is empty.');
  if (Buffer.byteLength(text) > MAX_COMMENT_BYTES)
    throw refuse(
      'comment_content_column_length',
      `The comment text is too long. The maximum is ${MAX_COMMENT_BYTES} bytes.`,
    );
  return text;
}

/** Returns the given columns of an author without an account. */
export function parseCommentAuthor({ author_name: name, author_email: email, author_url: url }: CommentInput) {
  return {
    ...(name === undefined ? {} : { authorName: plainText(name) }),
    ...(email === undefined ? {} : { authorEmail: email.toLowerCase() }),
    ...(url === undefined ? {} : { authorUrl: url }),
  };
}

/** Loads the author columns of a user. @throws RestError if there is no such user */
export async function loadCommentAuthor(
  tx: Transaction,
  { refuse }: AnyCall<'rest_comment_invalid_author'>,
  authorId: number,
): Promise<Authorship> {
  const [row] = await tx.select().from(user).where(eq(user.id, authorId)).limit(1);
  if (!row) throw refuse('rest_comment_invalid_author', 'Invalid author ID.', { status: 400 });
  return toAuthorship(row);
}

function toAuthorship({ id, name, email, url }: UserRow): Authorship {
  return { authorId: id, authorName: name, authorEmail: email, authorUrl: url };
}

/** Returns the given date in site time and in UTC. @default now */
export function parseCommentDates(sent: Pick<CommentInput, 'date' | 'date_gmt'>, { timezone }: Site) {
  const date =
    (sent.date === undefined ? undefined : parseSiteDate(sent.date, timezone)) ??
    (sent.date_gmt === undefined ? undefined : parseSiteDate(sent.date_gmt, 'UTC')) ??
    new Date();
  return { date: toSiteTime(date, timezone), dateGmt: toSiteTime(date, 'UTC') };
}
