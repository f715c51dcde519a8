import { and, eq, exists, gt, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import { commentStatus, comment as resource, getComment, listComments } from '#contracts/core/comment-routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { getUser } from '#contracts/core/user-routes.ts';
import { fillPath, type RouteQuery } from '#contracts/index.ts';
import { parseSiteTime } from '#contracts/site-clock.ts';
import { avatarUrls } from '#origin/platform/accounts/users.ts';
import {
  canEdit,
  canRead,
  type FindParent,
  isEditableBy,
  isReadableBy,
} from '#origin/platform/content/content-rights.ts';
import { ANCESTOR_COLUMNS, getContentUrl, loadAncestors, type Ancestor } from '#origin/platform/content/content-url.ts';
import { type Links, wireTime } from '#origin/platform/content/present-content.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  presentFields,
  type AnyCall,
  type Call,
  type ResultOf,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { getKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { anyOf, matchesList, noneOf, orderRows } from '#origin/platform/content/resources/find-rows.ts';
import { listResource, loadRow, type Resource } from '#origin/platform/content/resources/resource.ts';
import { parseSearch, searchCondition } from '#origin/platform/search/search-condition.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { comment, content } from '#origin/platform/store/schema.ts';

export type CommentRow = typeof comment.$inferSelect;
type PresentedComment = SelectedFields<z.input<typeof resource>>;

export const comments: Resource<typeof comment, PresentedComment, 'rest_comment_invalid_id'> = {
  table: comment,
  path: listComments.path,
  unknownId: ['rest_comment_invalid_id', 'Invalid comment ID.'],
  async presenter(rows, call, context) {
    const posts = rows.map(({ contentId }) => contentId);
    const [site, threads, repliedTo] = await Promise.all([
      loadSite(call),
      loadThreads(call, posts),
      call.fields.wants('_links') ? findRepliedTo(call, rows) : new Set<number>(),
    ]);
    return (row) => presentComment(row, { call, context, site, threads, repliedTo });
  },
};

type CommentQuery = RouteQuery<typeof listComments>;
type CommentListCall = Call<typeof listComments>;
type CommentItemCall = Call<typeof getComment>;

/** Requires read access to the commented posts. Filters that reveal hidden comments require a moderator. */
export async function authorizeCommentList(call: CommentListCall): Promise<void> {
  const { caller, query } = call;
  const postIds = query.post.filter((id) => id !== 0);
  if (postIds.length < query.post.length && !isModerator(caller))
    throw call.refuse('rest_cannot_read', 'You are not allowed to view comments without a post.');
  const threads = await loadThreads(call, postIds);
  if ([...threads.byId.values()].some((thread) => !canReadThread(thread, caller, threads, query.password)))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view the post of these comments.');
  requireEditRight(call);
  const forbidden = moderatorParameters(query);
  if (forbidden.length > 0 && !isModerator(caller))
    throw call.refuse('rest_forbidden_param', `You are not allowed to filter comments by ${forbidden.join(', ')}.`);
}

/** Lists one page of comments. The query excludes unreadable comments, so that they are not counted either. */
export async function listCommentPage(call: CommentListCall): Promise<ResultOf<typeof listComments>> {
  const { query } = call;
  const { timezone } = await loadSite(call);
  const [post = 0] = query.post;
  const isOfOnePost = query.post.length === 1;
  const siteTime = (text: string) => parseSiteTime(text, timezone);
  const status = commentStatus.safeParse(readStatus(query.status));
  const where = and(
    matchesList(comment, query),
    isOfOnePost ? undefined : anyOf(comment.contentId, query.post),
    anyOf(comment.parentId, query.parent),
    noneOf(comment.parentId, query.parent_exclude),
    anyOf(comment.authorId, query.author),
    noneOf(comment.authorId, query.author_exclude),
    query.author_email === null ? undefined : eq(comment.authorEmail, query.author_email.toLowerCase()),
    status.success ? eq(comment.status, status.data) : undefined,
    query.after === undefined ? undefined : gt(comment.date, siteTime(query.after)),
    query.before === undefined ? undefined : lt(comment.date, siteTime(query.before)),
    matchesSearch(query.search, call.caller),
    isVisible(call),
  );
  const orderBy = orderRows(comment, query, {
    date: comment.date,
    date_gmt: comment.dateGmt,
    post: comment.contentId,
    parent: comment.parentId,
    // There is only one type.
    type: comment.id,
  });
  const group = isOfOnePost ? { id: post, column: comment.contentId } : undefined;
  return listResource(call, comments, { where, orderBy }, group);
}

/** Moderators also search the e-mail addresses and URLs of authors. */
function matchesSearch(text = '', caller: Caller): SQL | undefined {
  const terms = parseSearch(text);
  const addresses = isModerator(caller) ? [comment.authorEmail, comment.authorUrl] : [];
  return terms && searchCondition(terms, [comment.text, comment.authorName, ...addresses], false);
}

/** Implements `canReadComment` and `canReadThread` as SQL. Comments on trashed content are hidden from lists. */
function isVisible({ caller, context, query: { password = '' } }: CommentListCall): SQL | undefined {
  const { user } = caller;
  const isOwn = user && eq(comment.authorId, user.id);
  const isShown = isModerator(caller) ? undefined : or(eq(comment.status, 'approved'), isOwn);
  const isOpen = or(eq(content.password, ''), eq(content.password, password));
  const isLocked = and(ne(content.password, ''), ne(content.password, password));
  const thread = context.store.db
    .select({ one: sql`1` })
    .from(content)
    .where(
      and(
        eq(content.id, comment.contentId),
        ne(content.type, 'revision'),
        ne(content.status, 'trash'),
        or(and(isOpen, isReadableBy(caller)), and(isLocked, isEditableBy(caller))),
      ),
    );
  return and(isShown, exists(thread));
}

export async function authorizeCommentRead(call: CommentItemCall): Promise<void> {
  const { caller, query } = call;
  const row = await loadRow(call, comments, call.params.id);
  requireEditRight(call);
  const threads = await loadThreads(call, [row.contentId]);
  const thread = threads.byId.get(row.contentId);
  if (!canReadComment(row, caller)) throw call.refuse('rest_cannot_read', 'You are not allowed to view this comment.');
  if (!thread || !canReadThread(thread, caller, threads, query.password))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view the post of this comment.');
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

function readStatus(sent: string): string {
  return sent === 'approve' ? 'approved' : sent;
}

const THREAD_COLUMNS = { ...ANCESTOR_COLUMNS, password: content.password, commentStatus: content.commentStatus };

/** Commented content, with the columns that access checks need. */
type Thread = Ancestor & Pick<ContentRow, 'password' | 'commentStatus'>;

/** Commented posts, pages and media items by ID. */
export interface Threads {
  byId: ReadonlyMap<number, Thread>;
  ancestors: ReadonlyMap<number, Ancestor>;
}

/** Loads the commented content with these IDs. Unknown IDs and revisions are omitted. */
export async function loadThreads(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  ids: readonly number[],
): Promise<Threads> {
  const { db } = context.store;
  const load = async (all: number[]) => {
    const rows: Thread[] = await db.select(THREAD_COLUMNS).from(content).where(inArray(content.id, all));
    return new Map(rows.map((row) => [row.id, row]));
  };
  const found = ids.length === 0 ? new Map<number, Thread>() : await requestMemo.gather('threads', ids, load);
  const threads = [...new Set(ids)].flatMap((id) => found.get(id) ?? []).filter(({ type }) => type !== 'revision');
  const ancestors = await loadAncestors(db, threads, requestMemo);
  return { byId: new Map(threads.map((row) => [row.id, row])), ancestors };
}

/** True if the caller can read the post. Protected posts require the password or edit access. */
export function canReadThread(thread: Thread, caller: Caller, threads: Threads, password: string | undefined): boolean {
  const parentOf: FindParent = ({ parentId }) => threads.ancestors.get(parentId);
  const isLocked = thread.password !== '' && thread.password !== password;
  return isLocked ? canEdit(thread, caller, parentOf) : canRead(thread, caller, parentOf);
}

/** True for approved comments, for moderators, and for the author. */
function canReadComment({ status, authorId }: CommentRow, caller: Caller): boolean {
  return status === 'approved' || isModerator(caller) || (caller.user !== undefined && caller.user.id === authorId);
}

export function isModerator(caller: Caller): boolean {
  return can(caller, 'moderate_comments');
}

interface CommentView {
  call: AnyCall;
  context: Context;
  site: Site;
  threads: Threads;
  /** IDs of comments with approved replies. */
  repliedTo: ReadonlySet<number>;
}

async function findRepliedTo(call: AnyCall, rows: readonly CommentRow[]): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const ids = rows.map(({ id }) => id);
  const found = await call.requestMemo.gather('answered', ids, async (all) => {
    const repliedTo = await call.context.store.db
      .selectDistinct({ id: comment.parentId })
      .from(comment)
      .where(and(inArray(comment.parentId, all), eq(comment.status, 'approved')));
    return new Map(repliedTo.map(({ id }) => [id, true]));
  });
  return new Set(found.keys());
}

async function presentComment(row: CommentRow, view: CommentView): Promise<PresentedComment> {
  const { call, context, site, threads } = view;
  const localize = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const thread = threads.byId.get(row.contentId);
  const text = localize(row.text);
  const rendered = call.fields.wants('content') ? await runTextJob('paragraphs', text) : '';
  const page = thread
    ? getContentUrl(thread, { site: call.addresses.site, kinds: call.context.kinds }, threads.ancestors)
    : `${call.addresses.site}/`;
  return presentFields(
    resource,
    {
      id: row.id,
      post: row.contentId,
      parent: row.parentId,
      author: row.authorId,
      author_name: row.authorName,
      author_email: row.authorEmail,
      author_url: localize(row.authorUrl),
      author_ip: '',
      author_user_agent: '',
      date: wireTime(row.date),
      date_gmt: wireTime(row.dateGmt),
      content: { rendered, ...(context === 'edit' ? { raw: text } : {}) },
      link: `${page}#comment-${row.id}`,
      status: row.status,
      type: 'comment',
      author_avatar_urls: site.avatars ? avatarUrls(row.authorEmail) : undefined,
      // Block notes have a status. Comments do not.
      meta: { _wp_note_status: null },
      _links: () => linkComment(row, view),
    },
    view,
  );
}

function linkComment(row: CommentRow, { call, threads, repliedTo }: CommentView): Links {
  const href = (path: string) => call.addresses.rest(path);
  const thread = threads.byId.get(row.contentId);
  const allow = call.methodsOn(getComment.path).filter((method) => method === 'GET' || isModerator(call.caller));
  const links: Links = {
    self: [{ href: href(fillPath(getComment.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: href(listComments.path) }],
  };
  if (row.authorId !== 0)
    links['author'] = [{ embeddable: true, href: href(fillPath(getUser.path, { id: row.authorId })) }];
  if (thread)
    links['up'] = [
      {
        embeddable: true,
        post_type: thread.type,
        href: href(`${getKind(thread, call.context.kinds).base}/${thread.id}`),
      },
    ];
  if (row.parentId !== 0)
    links['in-reply-to'] = [{ embeddable: true, href: href(fillPath(getComment.path, { id: row.parentId })) }];
  if (repliedTo.has(row.id))
    links['children'] = [{ embeddable: true, href: `${href(listComments.path)}?parent=${row.id}` }];
  return links;
}
