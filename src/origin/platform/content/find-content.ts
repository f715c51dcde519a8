import {
  count,
  and,
  eq,
  exists,
  gt,
  inArray,
  like,
  lt,
  lte,
  not,
  notInArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
  asc,
  desc,
} from 'drizzle-orm';
import type { z } from 'zod';
import type { contentListQuery } from '#contracts/core/collection-query.ts';
import type { listMedia, listPages } from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { SITE_ICON, type ContentRow, type ContentType } from '#origin/platform/registry/content-kind.ts';
import {
  searchCondition,
  foldColumn,
  rankRelevance,
  parseSearch,
  type SearchTerms,
} from '#origin/platform/search/search-condition.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { parseSiteTime } from '#contracts/site-clock.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { isEditableBy, isVisibleTo, type Viewer } from './rights-condition.ts';
import { normaliseSlug } from './slugs.ts';

/** Statuses that `any` excludes. */
const HIDDEN_STATUSES = ['trash', 'auto-draft'];

export interface RowWindow {
  limit: number;
  offset: number;
}

/** Loads a window of matching rows and the total in one statement. */
export async function findContent(
  db: Database,
  filter: ContentFilter,
  order: ContentOrder,
  { limit, offset }: RowWindow,
): Promise<{ rows: ContentRow[]; total: number }> {
  const found = await db
    .select({ row: content, total: totalColumn(countContent(db, filter)) })
    .from(content)
    .where(contentCondition(db, filter))
    .orderBy(...contentOrdering(order, filter))
    .limit(limit)
    .offset(offset);
  return { rows: found.map(({ row }) => row), total: await readTotal(found, offset, () => countContent(db, filter)) };
}

/** Counts matching rows, as a statement or part of one. */
export function countContent(db: Database, filter: ContentFilter) {
  return db.select({ total: count() }).from(content).where(contentCondition(db, filter));
}

/** Column with the total, repeated in each row of the window. */
export function totalColumn(counted: SQLWrapper): SQL<number> {
  return sql<number>`(${counted})`.mapWith(Number);
}

/** Reads the total. Beyond the last row it needs a separate statement. */
export async function readTotal(
  [first]: readonly { total: number }[],
  offset: number,
  counted: () => PromiseLike<{ total: number }[]>,
): Promise<number> {
  if (first || offset === 0) return first?.total ?? 0;
  return (await counted())[0]?.total ?? 0;
}

/** Columns with the position of a row in its group, and the size of the group. */
export function rankWithin(group: SQLWrapper, ordering: readonly SQL[]) {
  return {
    place: sql<number>`row_number() over (partition by ${group} order by ${sql.join([...ordering], sql`, `)})`
      .mapWith(Number)
      .as('place'),
    total: sql<number>`count(*) over (partition by ${group})`.mapWith(Number).as('total'),
  };
}

/** Matches the window of each group, and its first row, which carries the total. */
export function isInWindow({ place }: { place: SQLWrapper }, { limit, offset }: RowWindow): SQL | undefined {
  return or(eq(place, 1), and(gt(place, offset), lte(place, offset + limit)));
}

export function readWindow<Row extends { place: number; total: number }>(
  rows: readonly Row[] = [],
  { limit, offset }: RowWindow,
): { rows: Row[]; total: number } {
  return {
    rows: rows.filter(({ place }) => place > offset && place <= offset + limit),
    total: rows[0]?.total ?? 0,
  };
}

/** Builds the condition of a list, shared by rows and count. */
export function contentCondition(db: Database, filter: ContentFilter): SQL | undefined {
  const { ids = [], notIds = [], authors = [], notAuthors = [], parents = [], notParents = [], slugs = [] } = filter;
  return and(
    inArray(content.type, [filter.type].flat()),
    filter.statuses.includes('any')
      ? notInArray(content.status, HIDDEN_STATUSES)
      : inArray(content.status, [...filter.statuses]),
    // `include` has priority over `exclude`, and excluded authors over included ones.
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
    // Protected content is searched for its editors only, as results would reveal its words.
    filter.search && or(eq(content.password, ''), isEditableBy(filter.viewer.caller)),
    isForAll(filter) ? undefined : isVisibleTo(filter.viewer),
    filter.sticky === undefined ? undefined : eq(content.sticky, filter.sticky),
    formatCondition(filter.formats ?? []),
    termCondition(db, filter.terms ?? [], filter.termRelation ?? 'AND'),
    or(...(filter.mimeTypes ?? []).map(mimeCondition)),
    filter.notMimeTypes && notInArray(content.mimeType, [...filter.notMimeTypes]),
    filter.notSiteIcons ? sql`coalesce(${content.meta} ->> ${SITE_ICON.key}, '') <> ${SITE_ICON.value}` : undefined,
  );
}

/** True if all matching rows are public, so that the database needn't check each one. */
function isForAll({ type, statuses, viewer }: ContentFilter): boolean {
  const isPublished = statuses.length > 0 && statuses.every((status) => status === 'publish');
  return viewer.as === 'reader' && isPublished && ![type].flat().includes('revision');
}

/** Numbers beyond the range of the column match nothing. */
function hasMenuOrder(position: number): SQL {
  return Math.abs(position) < 2 ** 31 ? eq(content.menuOrder, position) : sql`false`;
}

function anyOf(column: typeof content.id | typeof content.authorId | typeof content.parentId, ids: readonly number[]) {
  return ids.length > 0 ? inArray(column, [...ids]) : undefined;
}

function noneOf(column: typeof content.id | typeof content.authorId | typeof content.parentId, ids: readonly number[]) {
  return ids.length > 0 ? notInArray(column, [...ids]) : undefined;
}

/** Media are also found by file name, unless columns are given. */
function searchedColumns({ type, searchColumns = [] }: ContentFilter): SQLWrapper[] {
  const columns = { post_title: content.title, post_content: content.content, post_excerpt: content.excerpt };
  if (searchColumns.length > 0) return searchColumns.map((name) => columns[name]);
  return [...Object.values(columns), ...(type === 'attachment' ? [content.file] : [])];
}

/** A standard post has no format. */
function formatCondition(formats: readonly string[]): SQL | undefined {
  if (formats.length === 0) return undefined;
  const named = formats.includes('standard') ? [...formats, ''] : [...formats];
  return inArray(content.format, named);
}

function termCondition(db: Database, clauses: readonly TermClause[], relation: 'AND' | 'OR'): SQL | undefined {
  const hasTermOf = (ids: readonly number[]) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(contentTerm)
        .where(and(eq(contentTerm.contentId, content.id), inArray(contentTerm.termId, [...ids]))),
    );
  const conditions = clauses.map(({ groups, operator }) => {
    if (operator === 'all') return and(...groups.map(hasTermOf));
    const hasAny = hasTermOf(groups.flat());
    return operator === 'none' ? not(hasAny) : hasAny;
  });
  return relation === 'OR' ? or(...conditions) : and(...conditions);
}

function mimeCondition(type: string): SQL {
  return type.endsWith('/') ? like(content.mimeType, `${type}%`) : eq(content.mimeType, type);
}

/** Builds the order of a list. Ties are broken by ID, so that pages never overlap. */
export function contentOrdering(order: ContentOrder, filter: ContentFilter): SQL[] {
  const { by, direction, ties = isMixed(filter) ? 'asc' : direction } = order;
  const inDirection = direction === 'asc' ? asc : desc;
  const byColumn = (column: SQLWrapper) => [inDirection(column), ties === 'asc' ? asc(content.id) : desc(content.id)];
  switch (by) {
    case 'author':
      return byColumn(content.authorId);
    case 'date':
      return byColumn(content.date);
    case 'id':
      return [inDirection(content.id)];
    case 'include':
      return [...positionIn(content.id, filter.ids ?? []), asc(content.id)];
    case 'include_slugs':
      return [...positionIn(content.slug, filter.slugs ?? []), asc(content.id)];
    case 'menu_order':
      return byColumn(content.menuOrder);
    case 'modified':
      return byColumn(content.modified);
    case 'parent':
      return byColumn(content.parentId);
    case 'slug':
      return byColumn(bytewise(content.slug));
    case 'title':
      return byColumn(bytewise(foldColumn(content.title)));
    case 'relevance':
      return [...(filter.search ? [asc(rankRelevance(filter.search, content))] : []), ...byColumn(content.date)];
  }
}

/**
 * Rows of a single status are read from the index by date and ID in either direction. Rows of mixed origin (several
 * statuses, by term, format or parent) are ordered by ascending ID among ties.
 */
function isMixed({ statuses, formats = [], terms = [], parents = [] }: ContentFilter): boolean {
  return (
    statuses.length > 1 ||
    statuses.includes('any') ||
    formats.length > 0 ||
    terms.some(({ operator }) => operator !== 'none') ||
    parents.some((id) => id !== 0)
  );
}

type ListQuery = Omit<z.output<typeof contentListQuery>, 'author' | 'author_exclude'> | RouteQuery<typeof listMedia>;

/** Query parameters that all lists of content share. */
export type SharedQuery = Pick<ListQuery, keyof ListQuery>;

/** Kinds without pages have no author parameters. */
type AuthorQuery = Partial<Pick<z.output<typeof contentListQuery>, 'author' | 'author_exclude'>>;

/** Builds the part of the filter that all kinds share. */
export async function sharedFilter(
  type: ContentType,
  query: SharedQuery & AuthorQuery,
  call: Pick<AnyCall, 'caller' | 'context' | 'requestMemo'>,
): Promise<ContentFilter> {
  const { caller } = call;
  const times = [query.after, query.before, query.modified_after, query.modified_before];
  const timeZone = times.some((text) => text !== undefined) ? (await loadSite(call)).timezone : 'UTC';
  const siteTime = (text: string | undefined) => (text === undefined ? undefined : parseSiteTime(text, timeZone));
  const search = query.search === undefined ? undefined : parseSearch(query.search);
  return {
    type,
    viewer: { caller, as: query.context === 'edit' ? 'editor' : 'reader' },
    statuses: query.status,
    authors: query.author ?? [],
    notAuthors: query.author_exclude ?? [],
    ids: query.include,
    notIds: query.exclude,
    slugs: (query.slug ?? []).map(normaliseSlug),
    after: siteTime(query.after),
    before: siteTime(query.before),
    modifiedAfter: siteTime(query.modified_after),
    modifiedBefore: siteTime(query.modified_before),
    search,
    searchColumns: query.search_columns,
    searchExactly: query.search_semantics === 'exact',
  };
}

/** Term parameter: IDs, or IDs with options. */
type TermQuery = readonly number[] | { terms: readonly number[]; operator?: 'AND' | 'OR'; include_children?: boolean };

/** Converts term parameters into filter clauses. Empty parameters are ignored. */
export async function termClauses(
  db: Database,
  included: readonly (TermQuery | undefined)[],
  excluded: readonly (TermQuery | undefined)[],
): Promise<TermClause[]> {
  const clauses = [
    ...included.map((query) => toClause(db, query, 'any')),
    ...excluded.map((query) => toClause(db, query, 'none')),
  ];
  return (await Promise.all(clauses)).flatMap((clause) => clause ?? []);
}

async function toClause(
  db: Database,
  query: TermQuery | undefined,
  defaultOperator: 'any' | 'none',
): Promise<TermClause | undefined> {
  if (query === undefined) return undefined;
  const options = 'terms' in query ? query : { terms: query };
  if (options.terms.length === 0) return undefined;
  const operator = 'operator' in options && options.operator === 'AND' ? 'all' : defaultOperator;
  const withChildren = 'include_children' in options && options.include_children === true;
  const groups = withChildren ? await findDescendants(db, options.terms) : options.terms.map((id) => [id]);
  return { groups, operator };
}

/** Orders rows by the position of their value in a list. An empty list adds no order. */
export function positionIn(column: SQLWrapper, values: readonly (number | string)[]): SQL[] {
  if (values.length === 0) return [];
  const cases = values.map((value, position) => sql`when ${value} then ${sql.raw(String(position))}`);
  return [sql`case ${column} ${sql.join(cases, sql` `)} end`];
}

/** Orders text bytewise, independent of the database's locale. */
export function bytewise(text: SQLWrapper): SQL {
  return sql`${text} collate "C"`;
}

/** Finds each category with its descendants in one statement. */
async function findDescendants(db: Database, ids: readonly number[]): Promise<number[][]> {
  const all = await db.select({ id: term.id, parentId: term.parentId }).from(term).where(eq(term.taxonomy, 'category'));
  const children = Map.groupBy(all, ({ parentId }) => parentId);
  return ids.map((id) => {
    const below = new Set([id]);
    for (const current of below) for (const child of children.get(current) ?? []) below.add(child.id);
    return [...below];
  });
}

/** A condition on the terms of a post. */
export interface TermClause {
  /** Groups of equivalent IDs: a term, optionally with its descendants. */
  groups: readonly (readonly number[])[];
  operator: 'all' | 'any' | 'none';
}

/** Conditions of a list. Missing conditions and empty ID lists match all rows. */
export interface ContentFilter {
  /** Rows that the viewer may not see are neither listed, counted nor searched. */
  viewer: Viewer;
  /** One kind of content, or several. */
  type: ContentType | 'revision' | readonly ContentType[];
  statuses: readonly string[];
  authors?: readonly number[];
  notAuthors?: readonly number[];
  ids?: readonly number[];
  notIds?: readonly number[];
  parents?: readonly number[];
  notParents?: readonly number[];
  menuOrder?: number | undefined;
  slugs?: readonly string[];
  /** Site times, compared strictly. */
  after?: string | undefined;
  before?: string | undefined;
  modifiedAfter?: string | undefined;
  modifiedBefore?: string | undefined;
  search?: SearchTerms | undefined;
  searchColumns?: RouteQuery<typeof listPages>['search_columns'];
  searchExactly?: boolean;
  sticky?: boolean | undefined;
  formats?: readonly string[];
  terms?: readonly TermClause[];
  termRelation?: 'AND' | 'OR';
  /** MIME types, or main types with a slash: `image/`. */
  mimeTypes?: readonly string[];
  notMimeTypes?: readonly string[];
  /** Excludes site icons. */
  notSiteIcons?: boolean;
}

export interface ContentOrder {
  /** Includes all orders, as pages support most. */
  by: RouteQuery<typeof listPages>['orderby'];
  direction: 'asc' | 'desc';
  /** Direction by ID among equal rows. @default the direction */
  ties?: 'asc' | 'desc';
}
