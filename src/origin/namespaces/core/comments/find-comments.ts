import { and, asc, count, desc, eq, gt, inArray, lt, ne, notInArray, or, type SQL } from 'drizzle-orm';
import type { CommentStatus, listComments } from '#contracts/core/index.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { comment, content } from '#origin/platform/store/schema.ts';
import { editableBy, readableBy } from '#origin/platform/content/rights-condition.ts';
import { parseSearch, searchCondition } from '#origin/platform/search/index.ts';
import type { Window } from '#origin/platform/content/find-content.ts';
import { positionIn } from '#origin/platform/content/position-in.ts';

export type CommentRow = typeof comment.$inferSelect;

export interface CommentFilter {
  /** What they may not read, of comments or of what those are about, is neither listed nor counted. */
  caller: Caller;
  /** What the caller gave as the password of what comments are about. */
  password?: string | undefined;
  ids?: readonly number[];
  notIds?: readonly number[];
  posts?: readonly number[];
  parents?: readonly number[];
  notParents?: readonly number[];
  authors?: readonly number[];
  notAuthors?: readonly number[];
  email?: string | undefined;
  /** None: of whatever status. */
  status?: CommentStatus | undefined;
  /** Site time. */
  after?: string | undefined;
  before?: string | undefined;
  search?: string | undefined;
  /** Whether addresses of authors are searched too. */
  searchesAddresses?: boolean;
}

export interface CommentOrder {
  by: RouteQuery<typeof listComments>['orderby'];
  direction: 'asc' | 'desc';
}

/** A window of the comments that match, and how many match. What is about something in the trash is hidden with it. */
export async function findComments(
  db: Database,
  filter: CommentFilter,
  order: CommentOrder,
  { limit, offset }: Window,
): Promise<{ rows: CommentRow[]; total: number }> {
  const condition = commentCondition(filter);
  const aboutIt = and(eq(content.id, comment.contentId), ne(content.type, 'revision'), ne(content.status, 'trash'));
  const [rows, counted] = await Promise.all([
    db
      .select({ comment })
      .from(comment)
      .innerJoin(content, aboutIt)
      .where(condition)
      .orderBy(...ordering(order, filter))
      .limit(limit)
      .offset(offset),
    db.select({ total: count() }).from(comment).innerJoin(content, aboutIt).where(condition),
  ]);
  return { rows: rows.map((row) => row.comment), total: counted[0]?.total ?? 0 };
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

/** The rules of `mayReadComment` and `mayReadThread` (comments/load-threads.ts). */
function isReadable({ caller, password = '' }: CommentFilter): SQL | undefined {
  const { user } = caller;
  const isOwn = user && eq(comment.authorId, user.id);
  const isShown = can(caller, 'moderate_comments') ? undefined : or(eq(comment.status, 'approved'), isOwn);
  const isOpen = or(eq(content.password, ''), eq(content.password, password));
  const isLocked = and(ne(content.password, ''), ne(content.password, password));
  return and(isShown, or(and(isOpen, readableBy(caller)), and(isLocked, editableBy(caller))));
}

type IdColumn = typeof comment.id | typeof comment.contentId | typeof comment.parentId | typeof comment.authorId;

function anyOf(column: IdColumn, ids: readonly number[] = []): SQL | undefined {
  return ids.length > 0 ? inArray(column, [...ids]) : undefined;
}

function noneOf(column: IdColumn, ids: readonly number[] = []): SQL | undefined {
  return ids.length > 0 ? notInArray(column, [...ids]) : undefined;
}

function ordering({ by, direction }: CommentOrder, { ids = [] }: CommentFilter): SQL[] {
  const toward = direction === 'asc' ? asc : desc;
  if (by === 'include') return [...positionIn(comment.id, ids), asc(comment.id)];
  // All are of one type.
  if (by === 'id' || by === 'type') return [toward(comment.id)];
  const keys = { date: comment.date, date_gmt: comment.dateGmt, post: comment.contentId, parent: comment.parentId };
  return [toward(keys[by]), toward(comment.id)];
}
