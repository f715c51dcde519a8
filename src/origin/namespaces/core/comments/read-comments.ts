import { commentStatus, type getComment, type listComments } from '#contracts/core/comment-routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import { collection, item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { parseSiteTime } from '#contracts/site-clock.ts';
import {
  findComments,
  findPostComments,
  type CommentFilter,
  loadComment,
  isModerator,
  loadCommentThread,
  loadThreads,
  canReadComment,
  canReadThread,
} from './find-comments.ts';
import { presentComment, presentComments } from './present-comment.ts';

type CommentItemCall = Call<typeof getComment>;
type CommentQuery = RouteQuery<typeof listComments>;
type CommentListCall = Call<typeof listComments>;

/** Requires read access to the commented posts. Filters that reveal hidden comments require a moderator. */
export async function authorizeCommentList(call: CommentListCall): Promise<void> {
  const { caller, context, query } = call;
  const postIds = query.post.filter((id) => id !== 0);
  if (postIds.length < query.post.length && !isModerator(caller))
    throw call.refuse('rest_cannot_read', 'You are not allowed to view comments without a post.');
  const threads = await loadThreads(context.store.db, postIds, call.requestMemo);
  if ([...threads.byId.values()].some((thread) => !canReadThread(thread, caller, threads, query.password)))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view the post of these comments.');
  requireEditRight(call);
  const forbidden = moderatorParameters(query);
  if (forbidden.length > 0 && !isModerator(caller))
    throw call.refuse('rest_forbidden_param', `You are not allowed to filter comments by ${forbidden.join(', ')}.`);
}

/** Returns one page of comments. The query excludes unreadable comments, so that they are not counted either. */
export async function handleListComments(call: CommentListCall): Promise<ResultOf<typeof listComments>> {
  const { caller, context, query } = call;
  const { db } = context.store;
  const { page, per_page: perPage } = query;
  const offset = query.offset === undefined ? (page - 1) * perPage : Math.abs(query.offset);
  const order = { by: query.orderby, direction: query.order };
  const filter = toFilter(query, (await loadSite(call)).timezone, caller);
  const window = { limit: perPage, offset };
  const [post, ...remaining] = query.post;
  const {
    rows,
    threads: loaded,
    total,
  } = post !== undefined && remaining.length === 0
    ? { ...(await findPostComments(call, post, filter, order, window)), threads: [] }
    : await findComments(db, filter, order, window);
  const threads = await loadThreads(
    db,
    rows.map(({ contentId }) => contentId),
    call.requestMemo,
    loaded,
  );
  return collection(await presentComments(rows, call, query.context, threads), total, { page, perPage });
}

export async function authorizeCommentRead(call: CommentItemCall): Promise<void> {
  const { caller, query } = call;
  const row = await loadComment(call, call.params.id);
  requireEditRight(call);
  const threads = await loadCommentThread(call, row);
  const thread = threads.byId.get(row.contentId);
  if (!canReadComment(row, caller)) throw call.refuse('rest_cannot_read', 'You are not allowed to view this comment.');
  if (!thread || !canReadThread(thread, caller, threads, query.password))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view the post of this comment.');
}

export async function handleGetComment(call: CommentItemCall): Promise<ResultOf<typeof getComment>> {
  const row = await loadComment(call, call.params.id);
  return item(await presentComment(row, call, call.query.context, await loadCommentThread(call, row)));
}

function requireEditRight({ caller, query, refuse }: CommentItemCall | CommentListCall): void {
  if (query.context === 'edit' && !isModerator(caller))
    throw refuse('rest_forbidden_context', 'You are not allowed to view comments in the edit context.');
}

/** Lists the used parameters that only moderators can use. */
function moderatorParameters({ author, author_exclude, author_email, status, type }: CommentQuery): string[] {
  const used = {
    author: author.length > 0,
    author_exclude: author_exclude.length > 0,
    author_email: author_email !== null,
    status: readStatus(status) !== 'approved',
    type: type !== 'comment',
  };
  return Object.entries(used).flatMap(([name, isUsed]) => (isUsed ? [name] : []));
}

function toFilter(query: CommentQuery, timeZone: string, caller: Caller): CommentFilter {
  const siteTime = (text: string | undefined) => (text === undefined ? undefined : parseSiteTime(text, timeZone));
  const status = commentStatus.safeParse(readStatus(query.status));
  return {
    caller,
    password: query.password,
    ids: query.include,
    notIds: query.exclude,
    posts: query.post,
    parents: query.parent,
    notParents: query.parent_exclude,
    authors: query.author,
    notAuthors: query.author_exclude,
    email: query.author_email?.toLowerCase(),
    status: status.success ? status.data : undefined,
    after: siteTime(query.after),
    before: siteTime(query.before),
    search: query.search,
    searchesAddresses: isModerator(caller),
  };
}

function readStatus(sent: string): string {
  return sent === 'approve' ? 'approved' : sent;
}
