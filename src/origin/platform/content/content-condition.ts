import {
  and,
  eq,
  exists,
  gt,
  inArray,
  like,
  lt,
  not,
  notInArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content, contentTerm } from '#origin/platform/store/schema.ts';
import { editableBy, visibleTo } from './rights-condition.ts';
import { searchCondition } from '#origin/platform/search/index.ts';
import type { ContentFilter, TermClause } from './content-filter.ts';

/** Statuses that `any` leaves out: what is not meant to be found. */
const HIDDEN_STATUSES = ['trash', 'auto-draft'];

/** The condition of a list, for its rows and for its count alike. */
export function contentCondition(db: Database, filter: ContentFilter): SQL | undefined {
  const { ids = [], notIds = [], authors = [], notAuthors = [], parents = [], notParents = [], slugs = [] } = filter;
  return and(
    inArray(content.type, [filter.type].flat()),
    filter.statuses.includes('any')
      ? notInArray(content.status, HIDDEN_STATUSES)
      : inArray(content.status, [...filter.statuses]),
    // What is asked for by id is not taken out again, and leaving out authors goes before asking for some.
    ids.length > 0 ? inArray(content.id, [...ids]) : noneOf(content.id, notIds),
    notAuthors.length > 0 ? noneOf(content.authorId, notAuthors) : anyOf(content.authorId, authors),
    anyOf(content.parentId, parents),
    noneOf(content.parentId, notParents),
    filter.menuOrder === undefined ? undefined : hasMenuOrder(filter.menuOrder),
    slugs.length > 0 ? inArray(content.slug, [...slugs]) : undefined,
    filter.after === undefined ? undefined : gt(content.date, filter.after),
    filter.before === undefined ? undefined : lt(content.date, filter.before),
    filter.modifiedAfter === undefined ? undefined : gt(content.modified, filter.modifiedAfter),
    filter.modifiedBefore === undefined ? undefined : lt(content.modified, filter.modifiedBefore),
    filter.search && searchCondition(filter.search, searchedColumns(filter), filter.searchExactly ?? false),
    // What stands behind a password is for who may edit it: others would learn its words from what is found.
    filter.search && or(eq(content.password, ''), editableBy(filter.viewer.caller)),
    visibleTo(filter.viewer),
    filter.sticky === undefined ? undefined : eq(content.sticky, filter.sticky),
    formatCondition(filter.formats ?? []),
    termCondition(db, filter.terms ?? [], filter.termRelation ?? 'AND'),
    or(...(filter.mimeTypes ?? []).map(mimeCondition)),
  );
}

/** Numbers that the column can not hold are nobody's place. */
function hasMenuOrder(place: number): SQL {
  return Math.abs(place) < 2 ** 31 ? eq(content.menuOrder, place) : sql`false`;
}

function anyOf(column: typeof content.id | typeof content.authorId | typeof content.parentId, ids: readonly number[]) {
  return ids.length > 0 ? inArray(column, [...ids]) : undefined;
}

function noneOf(column: typeof content.id | typeof content.authorId | typeof content.parentId, ids: readonly number[]) {
  return ids.length > 0 ? notInArray(column, [...ids]) : undefined;
}

/** Media are found by the name of their file too, unless columns are named. */
function searchedColumns({ type, searchColumns = [] }: ContentFilter): SQLWrapper[] {
  const columns = { post_title: content.title, post_content: content.content, post_excerpt: content.excerpt };
  if (searchColumns.length > 0) return searchColumns.map((name) => columns[name]);
  return [...Object.values(columns), ...(type === 'attachment' ? [content.file] : [])];
}

/** A standard post is one without a format. */
function formatCondition(formats: readonly string[]): SQL | undefined {
  if (formats.length === 0) return undefined;
  const named = formats.includes('standard') ? [...formats, ''] : [...formats];
  return inArray(content.format, named);
}

function termCondition(db: Database, clauses: readonly TermClause[], relation: 'AND' | 'OR'): SQL | undefined {
  const carries = (ids: readonly number[]) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(contentTerm)
        .where(and(eq(contentTerm.contentId, content.id), inArray(contentTerm.termId, [...ids]))),
    );
  const conditions = clauses.map(({ groups, operator }) => {
    if (operator === 'all') return and(...groups.map(carries));
    const carriesAny = carries(groups.flat());
    return operator === 'none' ? not(carriesAny) : carriesAny;
  });
  return relation === 'OR' ? or(...conditions) : and(...conditions);
}

function mimeCondition(type: string): SQL {
  return type.endsWith('/') ? like(content.mimeType, `${type}%`) : eq(content.mimeType, type);
}
