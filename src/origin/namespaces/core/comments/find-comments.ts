import { and, asc, count, desc, eq, getTableColumns, gt, inArray, lt, ne, notInArray, or, type SQL } from 'drizzle-orm';
import type {
  CommentStatus,
  listComments,
  commentBody,
  createComment,
  deleteComment,
  updateComment,
} from '#contracts/core/comment-routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { canEdit, canRead, type FindParent } from '#origin/platform/content/content-rights.ts';
import {
  isInWindow,
  rankWithin,
  positionIn,
  readTotal,
  readWindow,
  totalColumn,
  type RowWindow,
} from '#origin/platform/content/find-content.ts';
import { ANCESTOR_COLUMNS, cachedRowKey, loadAncestors, type Ancestor } from '#origin/platform/content/content-url.ts';
import { isEditableBy, isReadableBy } from '#origin/platform/content/rights-condition.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import { Memo } from '#origin/platform/context/origin-context.ts';
import type { AnyCall, Call } from '#origin/platform/http/transport/call.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { parseSearch, searchCondition } from '#origin/platform/search/search-condition.ts';
import { cacheSite, SITE_COLUMN } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { z } from 'zod';

export type CommentRow = typeof comment.$inferSelect;

export interface CommentFilter {
  /** Comments that the caller cannot read are neither listed nor counted. */
  caller: Caller;
  /** Password of the commented post, as sent by the client. */
  password?: string | undefined;
  ids?: readonly number[];
  notIds?: readonly number[];
  posts?: readonly number[];
  parents?: readonly number[];
  notParents?: readonly number[];
  authors?: readonly number[];
  notAuthors?: readonly number[];
  email?: string | undefined;
  /** @default any status */
  status?: CommentStatus | undefined;
  /** Site time. */
  after?: string | undefined;
  before?: string | undefined;
  search?: string | undefined;
  /** Also searches the e-mail addresses and URLs of authors. */
  searchesAddresses?: boolean;
}

export interface CommentOrder {
  by: RouteQuery<typeof listComments>['orderby'];
  direction: 'asc' | 'desc';
}

/** Joins the commented content. Comments on trashed content are hidden. */
const COMMENTED_CONTENT = and(
  eq(content.id, comment.contentId),
  ne(content.type, 'revision'),
  ne(content.status, 'trash'),
);

/** Finds the matching comments of one page, and the total number of matches. */
export async function findComments(
  db: Database,
  filter: CommentFilter,
  order: CommentOrder,
  { limit, offset }: RowWindow,
): Promise<{ rows: CommentRow[]; threads: Thread[]; total: number }> {
  const condition = commentCondition(filter);
  const counted = db.select({ total: count() }).from(comment).innerJoin(content, COMMENTED_CONTENT).where(condition);
  const found = await db
    .select({ row: comment, thread: THREAD_COLUMNS, total: totalColumn(counted) })
    .from(comment)
    .innerJoin(content, COMMENTED_CONTENT)
    .where(condition)
    .orderBy(...ordering(order, filter))
    .limit(limit)
    .offset(offset);
  return {
    rows: found.map(({ row }) => row),
    threads: found.map(({ thread }) => thread),
    total: await readTotal(found, offset, () => counted),
  };
}

/** Finds the comments on one post. Lookups for all posts of a response are batched into one query. */
export async function findPostComments(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  post: number,
  criteria: CommentFilter,
  order: CommentOrder,
  window: RowWindow,
): Promise<{ rows: CommentRow[]; total: number }> {
  const { db } = context.store;
  const { caller, posts: _, ...filter } = criteria;
  const key = `replies ${JSON.stringify([filter, order, window])}`;
  const found = await requestMemo.gather(key, [post], async (posts) => {
    const numbered = db
      .select({ ...getTableColumns(comment), ...rankWithin(comment.contentId, ordering(order, filter)) })
      .from(comment)
      .innerJoin(content, COMMENTED_CONTENT)
      .where(commentCondition({ ...filter, caller, posts }))
      .as('numbered');
    const rows = await db.select().from(numbered).where(isInWindow(numbered, window)).orderBy(asc(numbered.place));
    return Map.groupBy(rows, ({ contentId }) => contentId);
  });
  return readWindow(found.get(post), window);
}

function commentCondition(filter: CommentFilter): SQL | undefined {
  const { ids = [], notIds, email, status, after, before, search = '', searchesAddresses } = filter;
  const terms = parseSearch(search);
  const columns = [comment.text, comment.authorName];
  const addresses = [comment.authorEmail, comment.authorUrl];
  return and(
    anyOf(comment.id, ids),
    ids.length > 0 ? undefined : noneOf(comment.id, notIds),
    anyOf(comment.contentId, filter.posts),
    anyOf(comment.parentId, filter.parents),
    noneOf(comment.parentId, filter.notParents),
    anyOf(comment.authorId, filter.authors),
    noneOf(comment.authorId, filter.notAuthors),
    email === undefined ? undefined : eq(comment.authorEmail, email),
    status === undefined ? undefined : eq(comment.status, status),
    after === undefined ? undefined : gt(comment.date, after),
    before === undefined ? undefined : lt(comment.date, before),
    terms && searchCondition(terms, searchesAddresses ? [...columns, ...addresses] : columns, false),
    isReadable(filter),
  );
}

/** Implements the read rules for single comments and their posts, further below, as SQL. */
function isReadable({ caller, password = '' }: CommentFilter): SQL | undefined {
  const { user } = caller;
  const isOwn = user && eq(comment.authorId, user.id);
  const isShown = can(caller, 'moderate_comments') ? undefined : or(eq(comment.status, 'approved'), isOwn);
  const isOpen = or(eq(content.password, ''), eq(content.password, password));
  const isLocked = and(ne(content.password, ''), ne(content.password, password));
  return and(isShown, or(and(isOpen, isReadableBy(caller)), and(isLocked, isEditableBy(caller))));
}

type IdColumn = typeof comment.id | typeof comment.contentId | typeof comment.parentId | typeof comment.authorId;

function anyOf(column: IdColumn, ids: readonly number[] = []): SQL | undefined {
  return ids.length > 0 ? inArray(column, [...ids]) : undefined;
}

function noneOf(column: IdColumn, ids: readonly number[] = []): SQL | undefined {
  return ids.length > 0 ? notInArray(column, [...ids]) : undefined;
}

function ordering({ by, direction }: CommentOrder, { ids = [] }: Pick<CommentFilter, 'ids'>): SQL[] {
  const sort = direction === 'asc' ? asc : desc;
  if (by === 'include') return [...positionIn(comment.id, ids), asc(comment.id)];
  // There is only one type, so ordering by it means ordering by ID.
  if (by === 'id' || by === 'type') return [sort(comment.id)];
  const keys = { date: comment.date, date_gmt: comment.dateGmt, post: comment.contentId, parent: comment.parentId };
  return [sort(keys[by]), sort(comment.id)];
}

type CommentCall = AnyCall<'rest_comment_invalid_id'>;

/**
 * Loads a comment with its post and the site settings, once per request.
 *
 * @throws RestError if there is none
 */
export function loadComment(call: CommentCall, id: number): Promise<CommentRow> {
  const { context, memo } = call;
  return memo.once(commentKey(id), async () => {
    const [found] = await context.store.db
      .select({ row: comment, thread: THREAD_COLUMNS, site: SITE_COLUMN })
      .from(comment)
      .leftJoin(content, eq(content.id, comment.contentId))
      .where(eq(comment.id, id))
      .limit(1);
    if (!found) return throwUnknownComment(call);
    cacheSite(call, found.site);
    if (found.thread) memo.keep(threadKey(id), found.thread);
    return found.row;
  });
}

/** Returns the post of a comment, from the request cache if `loadComment` has loaded it. */
export async function loadCommentThread({ context, memo, requestMemo }: AnyCall, row: CommentRow): Promise<Threads> {
  const thread = await memo.known<Thread>(threadKey(row.id));
  return loadThreads(context.store.db, [row.contentId], requestMemo, thread ? [thread] : []);
}

/** Evicts a comment from the request cache. Call it after a write. */
export function evictComment({ memo }: Pick<AnyCall, 'memo'>, id: number): void {
  memo.forget(commentKey(id));
}

/** Loads a comment and locks the row until the transaction ends. @throws RestError if there is none */
export async function lockComment(tx: Transaction, call: CommentCall, id: number): Promise<CommentRow> {
  const [row] = await tx.select().from(comment).where(eq(comment.id, id)).for('update');
  return row ?? throwUnknownComment(call);
}

function throwUnknownComment({ refuse }: CommentCall): never {
  throw refuse('rest_comment_invalid_id', 'Invalid comment ID.');
}

function threadKey(id: number): string {
  return `thread of ${id}`;
}

function commentKey(id: number): string {
  return `comment ${id}`;
}

const THREAD_COLUMNS = { ...ANCESTOR_COLUMNS, password: content.password, commentStatus: content.commentStatus };

/** Commented content, with the columns that access checks need. */
type Thread = Ancestor & Pick<ContentRow, 'password' | 'commentStatus'>;

/** Commented posts, pages and media items by ID. */
export interface Threads {
  byId: ReadonlyMap<number, Thread>;
  ancestors: ReadonlyMap<number, Ancestor>;
}

/**
 * Loads the commented content with the criteria IDs. Unknown IDs and revisions are omitted.
 *
 * @param memo request cache, for read requests only
 * @param loaded content that is already loaded
 */
export async function loadThreads(
  db: Database,
  ids: readonly number[],
  memo = new Memo(),
  loaded: readonly Thread[] = [],
): Promise<Threads> {
  const loadedIds = new Set(loaded.map(({ id }) => id));
  const wanted = [...new Set(ids)].filter((id) => !loadedIds.has(id));
  const cached = await Promise.all(wanted.flatMap((id) => memo.known<ContentRow>(cachedRowKey(id)) ?? []));
  const cachedIds = new Set(cached.map(({ id }) => id));
  const missing = wanted.filter((id) => !cachedIds.has(id));
  const found =
    missing.length === 0
      ? new Map<number, Thread>()
      : await memo.gather('threads', missing, async (all) => {
          const rows: Thread[] = await db.select(THREAD_COLUMNS).from(content).where(inArray(content.id, all));
          return new Map(rows.map((row) => [row.id, row]));
        });
  const all = [...loaded, ...cached, ...missing.flatMap((id) => found.get(id) ?? [])];
  const threads = all.filter(({ type }) => type !== 'revision');
  return { byId: new Map(threads.map((row) => [row.id, row])), ancestors: await loadAncestors(db, threads, memo) };
}

/** True if the caller can read the post. Protected posts require the password or edit access. */
export function canReadThread(thread: Thread, caller: Caller, threads: Threads, password: string | undefined): boolean {
  const parentOf: FindParent = ({ parentId }) => threads.ancestors.get(parentId);
  const isLocked = thread.password !== '' && thread.password !== password;
  return isLocked ? canEdit(thread, caller, parentOf) : canRead(thread, caller, parentOf);
}

/** True for approved comments, for moderators, and for the author. */
export function canReadComment({ status, authorId }: CommentRow, caller: Caller): boolean {
  return status === 'approved' || isModerator(caller) || (caller.user !== undefined && caller.user.id === authorId);
}

export function isModerator(caller: Caller): boolean {
  return can(caller, 'moderate_comments');
}

export type CommentInput = z.output<typeof commentBody>;
export type CommentCreationCall = Call<typeof createComment>;

/** Requires a signed-in user, read access to the post, and open comments. */
export async function authorizeCommentCreate(call: CommentCreationCall): Promise<void> {
  const { body, caller, context } = call;
  if (!caller.user) throw call.refuse('rest_comment_login_required', 'You must be signed in to comment.');
  if (!isModerator(caller)) {
    if (body.author !== undefined && body.author !== caller.user.id)
      throw call.refuse('rest_comment_invalid_author', 'You are not allowed to comment as another user.');
    if (body.status !== undefined)
      throw call.refuse('rest_comment_invalid_status', 'You are not allowed to set the status of a comment.');
  }
  const threads = await loadThreads(context.store.db, body.post === undefined ? [] : [body.post]);
  const thread = threads.byId.get(body.post ?? 0);
  if (!thread) throw call.refuse('rest_comment_invalid_post_id', 'Invalid post ID.');
  if (thread.status === 'draft') throw call.refuse('rest_comment_draft_post', 'Drafts cannot be commented on.');
  if (thread.status === 'trash') throw call.refuse('rest_comment_trash_post', 'The post is in the trash.');
  if (!canReadThread(thread, caller, threads, undefined))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view this post.');
  if (thread.commentStatus !== 'open') throw call.refuse('rest_comment_closed', 'Comments are closed on this post.');
}

export async function authorizeCommentUpdate(call: Call<typeof updateComment>): Promise<void> {
  await loadComment(call, call.params.id);
  if (!isModerator(call.caller)) throw call.refuse('rest_cannot_edit', 'You are not allowed to edit comments.');
}

export async function authorizeCommentDelete(call: Call<typeof deleteComment>): Promise<void> {
  await loadComment(call, call.params.id);
  if (!isModerator(call.caller)) throw call.refuse('rest_cannot_delete', 'You are not allowed to delete comments.');
}
