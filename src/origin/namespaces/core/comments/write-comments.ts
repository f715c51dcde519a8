import { and, eq, ne } from 'drizzle-orm';
import type { z } from 'zod';
import * as routes from '#contracts/core/comment-routes.ts';
import { parseSiteDate, toSiteTime } from '#contracts/site-clock.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { requireUser, type AnyCall, type Call, type ResultOf } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import {
  createResource,
  deleteResource,
  getResource,
  insertRow,
  loadRow,
  updateResource,
} from '#origin/platform/content/resources/resource.ts';
import { loadSite, type Site } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, user } from '#origin/platform/store/schema.ts';
import {
  authorizeCommentList,
  authorizeCommentRead,
  canReadThread,
  comments,
  isModerator,
  listCommentPage,
  loadThreads,
  type CommentRow,
} from './find-comments.ts';

type CommentInput = z.output<typeof routes.commentBody>;
type CommentCreationCall = Call<typeof routes.createComment>;

export function serveComments(registry: RouteRegistry): void {
  const moderated = <Code extends string>(code: Code, message: string) =>
    registry.with({ permit: authorizeModerator(code, message) });
  registry.serve(routes.listComments, listCommentPage, { permit: authorizeCommentList });
  registry.serve(routes.createComment, addComment, { permit: authorizeCommentCreate });
  registry.serve(routes.getComment, (call) => getResource(call, comments), { permit: authorizeCommentRead });

  // Updates the given fields of a comment. Its post and its parent cannot change.
  moderated('rest_cannot_edit', 'You are not allowed to edit comments.')(routes.updateComment, async (call) => {
    const { body, params } = call;
    const site = await loadSite(call);
    const text = body.content === undefined ? {} : { text: await parseCommentText(body.content, call) };
    return updateResource(call, comments, params.id, async (tx) => ({
      ...(body.date === undefined && body.date_gmt === undefined ? {} : parseCommentDates(body, site)),
      ...text,
      ...(body.status === undefined ? {} : { status: body.status }),
      ...(body.author ? await loadCommentAuthor(tx, call, body.author) : {}),
      ...(body.author === 0 ? { authorId: 0 } : {}),
      ...parseCommentAuthor(body),
    }));
  });

  // Moves a comment to the trash, or deletes it with `force`. Replies to a deleted comment move to its parent.
  moderated('rest_cannot_delete', 'You are not allowed to delete comments.')(
    routes.deleteComment,
    async (call): Promise<ResultOf<typeof routes.deleteComment>> => {
      const { params, query, refuse } = call;
      if (!query.force)
        return updateResource(call, comments, params.id, async (_, { status }) => {
          if (status === 'trash') throw refuse('rest_already_trashed', 'The comment is already in the trash.');
          return { status: 'trash' as const };
        });
      return deleteResource(call, comments, params.id, async (tx, { id, parentId }) => {
        await tx.update(comment).set({ parentId }).where(eq(comment.parentId, id));
        return {};
      });
    },
  );
}

/** Requires an existing comment and a moderator. */
function authorizeModerator<Code extends string>(code: Code, message: string) {
  return async (call: AnyCall<Code | 'rest_comment_invalid_id'> & { params: { id: number } }): Promise<void> => {
    await loadRow(call, comments, call.params.id);
    if (!isModerator(call.caller)) throw call.refuse(code, message);
  };
}

/** Creates a comment. Only moderators can set author and date. Comments of others await approval. */
async function addComment(call: CommentCreationCall): Promise<ResultOf<typeof routes.createComment>> {
  const { body, caller } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_comment_exists', 'A new comment cannot have an ID.');
  const text = await parseCommentText(body.content, call);
  const canModerate = isModerator(caller);
  const dates = parseCommentDates(canModerate ? body : {}, await loadSite(call));
  // Serialized with deletions of the post and the parent comment.
  const insert = async (tx: Transaction) => {
    const { contentId, parentId } = await findTarget(tx, call, body.post ?? 0, body.parent ?? 0);
    const status = body.status ?? (canModerate ? ('approved' as const) : ('hold' as const));
    const authorship = canModerate ? await chooseAuthorship(tx, call) : toAuthorship(requireUser(caller));
    return insertRow(tx, comment, { contentId, parentId, text, status, ...dates, ...authorship });
  };
  return createResource(call, comments, insert, canModerate ? 'edit' : 'view');
}

/** @throws RestError if the post does not exist, or if the parent comment belongs to another post */
async function findTarget(tx: Transaction, { refuse }: CommentCreationCall, contentId: number, parentId: number) {
  const isThread = and(eq(content.id, contentId), ne(content.status, 'trash'));
  if ((await tx.$count(content, isThread)) === 0)
    throw refuse('rest_comment_invalid_post_id', 'The post does not exist anymore.', { status: 403 });
  const isParent = and(eq(comment.id, parentId), eq(comment.contentId, contentId));
  if (parentId === 0 || (await tx.$count(comment, isParent)) > 0) return { contentId, parentId };
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
async function parseCommentText(
  sent: string | undefined,
  { caller, refuse }: AnyCall<'rest_comment_content_invalid' | 'comment_content_column_length'>,
): Promise<string> {
  const filter = can(caller, 'unfiltered_html') ? 'filter' : 'filterInline';
  // Texts far beyond the limit are rejected below without the cost of filtering.
  const text =
    (sent ?? '').length > 2 * routes.MAX_COMMENT_BYTES ? (sent ?? '') : (await runTextJob(filter, sent ?? '')).trim();
  if (text === '') throw refuse('rest_comment_content_invalid', 'The comment text is empty.');
  if (Buffer.byteLength(text) > routes.MAX_COMMENT_BYTES)
    throw refuse(
      'comment_content_column_length',
      `The comment text is too long. The maximum is ${routes.MAX_COMMENT_BYTES} bytes.`,
    );
  return text;
}

/** Returns the given columns of an author without an account. */
function parseCommentAuthor({ author_name: name, author_email: email, author_url: url }: CommentInput) {
  return {
    ...(name === undefined ? {} : { authorName: plainText(name) }),
    ...(email === undefined ? {} : { authorEmail: email.toLowerCase() }),
    ...(url === undefined ? {} : { authorUrl: url }),
  };
}

/** Loads the author columns of a user. @throws RestError if there is no such user */
async function loadCommentAuthor(
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
function parseCommentDates(sent: Pick<CommentInput, 'date' | 'date_gmt'>, { timezone }: Site) {
  const date =
    (sent.date === undefined ? undefined : parseSiteDate(sent.date, timezone)) ??
    (sent.date_gmt === undefined ? undefined : parseSiteDate(sent.date_gmt, 'UTC')) ??
    new Date();
  return { date: toSiteTime(date, timezone), dateGmt: toSiteTime(date, 'UTC') };
}

/** Requires a signed-in user, read access to the post, and open comments. */
async function authorizeCommentCreate(call: CommentCreationCall): Promise<void> {
  const { body, caller } = call;
  if (!caller.user) throw call.refuse('rest_comment_login_required', 'You must be signed in to comment.');
  if (!isModerator(caller)) {
    if (body.author !== undefined && body.author !== caller.user.id)
      throw call.refuse('rest_comment_invalid_author', 'You are not allowed to comment as another user.');
    if (body.status !== undefined)
      throw call.refuse('rest_comment_invalid_status', 'You are not allowed to set the status of a comment.');
  }
  const threads = await loadThreads(call, body.post === undefined ? [] : [body.post]);
  const thread = threads.byId.get(body.post ?? 0);
  if (!thread) throw call.refuse('rest_comment_invalid_post_id', 'Invalid post ID.');
  if (thread.status === 'draft') throw call.refuse('rest_comment_draft_post', 'Drafts cannot be commented on.');
  if (thread.status === 'trash') throw call.refuse('rest_comment_trash_post', 'The post is in the trash.');
  if (!canReadThread(thread, caller, threads, undefined))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view this post.');
  if (thread.commentStatus !== 'open') throw call.refuse('rest_comment_closed', 'Comments are closed on this post.');
}
