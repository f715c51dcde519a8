import { and, eq, exists, gt, inArray, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import * as routes from '#contracts/core/comment-routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { getUser } from '#contracts/core/user-routes.ts';
import { fillPath } from '#contracts/index.ts';
import { parseSiteDate, parseSiteTime, toSiteTime } from '#contracts/site-clock.ts';
import { avatarUrls, type UserRow } from '#origin/platform/accounts/users.ts';
import {
  canEdit,
  canRead,
  type FindParent,
  isEditableBy,
  isReadableBy,
} from '#origin/platform/content/content-rights.ts';
import { ANCESTOR_COLUMNS, getContentUrl, loadAncestors, type Ancestor } from '#origin/platform/content/content-url.ts';
import { type Links, wireTime } from '#origin/platform/content/present-content.ts';
import { anyOf, matchesList, noneOf, orderRows } from '#origin/platform/content/resources/find-rows.ts';
import {
  createResource,
  deleteResource,
  getResource,
  insertRow,
  listResource,
  loadRow,
  updateResource,
  type Resource,
} from '#origin/platform/content/resources/resource.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  presentFields,
  requireUser,
  type AnyCall,
  type Call,
  type ResultOf,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { getKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { parseSearch, searchCondition } from '#origin/platform/search/search-condition.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, user } from '#origin/platform/store/schema.ts';

type CommentRow = typeof comment.$inferSelect;
type PresentedComment = SelectedFields<z.input<typeof routes.comment>>;

const comments: Resource<typeof comment, PresentedComment, 'rest_comment_invalid_id'> = {
  table: comment,
  path: routes.listComments.path,
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

type ListCall = Call<typeof routes.listComments>;
type ItemCall = Call<typeof routes.getComment>;
type CommentInput = z.output<typeof routes.commentBody>;
type CreationCall = Call<typeof routes.createComment>;

export function serveComments(registry: RouteRegistry): void {
  const moderated = <Code extends string>(code: Code, message: string) =>
    registry.with({
      async permit(call: AnyCall<Code | 'rest_comment_invalid_id'> & { params: { id: number } }) {
        await loadRow(call, comments, call.params.id);
        if (!isModerator(call.caller)) throw call.refuse(code, message);
      },
    });
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

/** Requires read access to the commented posts. Filters that reveal hidden comments require a moderator. */
async function authorizeCommentList(call: ListCall): Promise<void> {
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
async function listCommentPage(call: ListCall): Promise<ResultOf<typeof routes.listComments>> {
  const { query } = call;
  const { timezone } = await loadSite(call);
  const [post = 0] = query.post;
  const isOfOnePost = query.post.length === 1;
  const siteTime = (text: string) => parseSiteTime(text, timezone);
  const status = routes.commentStatus.safeParse(readStatus(query.status));
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

/** SQL equivalent of `authorizeCommentRead`. Comments on trashed content are hidden from lists. */
function isVisible({ caller, context, query: { password = '' } }: ListCall): SQL | undefined {
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

async function authorizeCommentRead(call: ItemCall): Promise<void> {
  const { caller, query } = call;
  const { status, authorId, contentId } = await loadRow(call, comments, call.params.id);
  requireEditRight(call);
  const threads = await loadThreads(call, [contentId]);
  const thread = threads.byId.get(contentId);
  if (status !== 'approved' && !isModerator(caller) && caller.user?.id !== authorId)
    throw call.refuse('rest_cannot_read', 'You are not allowed to view this comment.');
  if (!thread || !canReadThread(thread, caller, threads, query.password))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view the post of this comment.');
}

function requireEditRight({ caller, query, refuse }: ItemCall | ListCall): void {
  if (query.context === 'edit' && !isModerator(caller))
    throw refuse('rest_forbidden_context', 'You are not allowed to view comments in the edit context.');
}

/** Lists the used parameters that only moderators can use. */
function moderatorParameters({ author, author_exclude, author_email, status, type }: ListCall['query']): string[] {
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

type Threads = Awaited<ReturnType<typeof loadThreads>>;

/** Loads the commented posts, pages and media items by ID. Unknown IDs and revisions are omitted. */
async function loadThreads({ context, requestMemo }: AnyCall, ids: readonly number[]) {
  const { db } = context.store;
  const found = await requestMemo.gather('threads', ids, async (all) => {
    const rows: Thread[] = await db.select(THREAD_COLUMNS).from(content).where(inArray(content.id, all));
    return new Map(rows.map((row) => [row.id, row]));
  });
  const threads = [...new Set(ids)].flatMap((id) => found.get(id) ?? []).filter(({ type }) => type !== 'revision');
  const ancestors = await loadAncestors(db, threads, requestMemo);
  return { byId: new Map(threads.map((row) => [row.id, row])), ancestors };
}

/** True if the caller can read the post. Protected posts require the password or edit access. */
function canReadThread(thread: Thread, caller: Caller, threads: Threads, password?: string): boolean {
  const parentOf: FindParent = ({ parentId }) => threads.ancestors.get(parentId);
  const isLocked = thread.password !== '' && thread.password !== password;
  return isLocked ? canEdit(thread, caller, parentOf) : canRead(thread, caller, parentOf);
}

function isModerator(caller: Caller): boolean {
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
    routes.comment,
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
  const allow = call.methodsOn(routes.getComment.path).filter((method) => method === 'GET' || isModerator(call.caller));
  const links: Links = {
    self: [{ href: href(fillPath(routes.getComment.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: href(routes.listComments.path) }],
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
    links['in-reply-to'] = [{ embeddable: true, href: href(fillPath(routes.getComment.path, { id: row.parentId })) }];
  if (repliedTo.has(row.id))
    links['children'] = [{ embeddable: true, href: `${href(routes.listComments.path)}?parent=${row.id}` }];
  return links;
}

/** Creates a comment. Only moderators can set author and date. Comments of others await approval. */
async function addComment(call: CreationCall): Promise<ResultOf<typeof routes.createComment>> {
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
async function findTarget(tx: Transaction, { refuse }: CreationCall, contentId: number, parentId: number) {
  const isThread = and(eq(content.id, contentId), ne(content.status, 'trash'));
  if ((await tx.$count(content, isThread)) === 0)
    throw refuse('rest_comment_invalid_post_id', 'The post does not exist anymore.', { status: 403 });
  const isParent = and(eq(comment.id, parentId), eq(comment.contentId, contentId));
  if (parentId === 0 || (await tx.$count(comment, isParent)) > 0) return { contentId, parentId };
  throw refuse('rest_comment_invalid_parent', 'The parent comment belongs to another post.');
}

/** Returns the author that a moderator chose: a user, a name with an e-mail address, or by default the moderator. */
async function chooseAuthorship(tx: Transaction, call: CreationCall) {
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
  sent = '',
  { caller, refuse }: AnyCall<'rest_comment_content_invalid' | 'comment_content_column_length'>,
): Promise<string> {
  const filter = can(caller, 'unfiltered_html') ? 'filter' : 'filterInline';
  // Texts far beyond the limit are rejected below without the cost of filtering.
  const text = sent.length > 2 * routes.MAX_COMMENT_BYTES ? sent : (await runTextJob(filter, sent)).trim();
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
async function authorizeCommentCreate(call: CreationCall): Promise<void> {
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
  if (!canReadThread(thread, caller, threads))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view this post.');
  if (thread.commentStatus !== 'open') throw call.refuse('rest_comment_closed', 'Comments are closed on this post.');
}
