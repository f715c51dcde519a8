import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  lt,
  not,
  notInArray,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import type { z } from 'zod';
import type { contentListQuery } from '#contracts/core/collection-query.ts';
import type { listMedia, listPages } from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { parseSiteTime } from '#contracts/site-clock.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { anyOf, bytewise, matchesList, noneOf, orderRows, type OrderQuery } from './resources/find-rows.ts';
import { foldColumn, parseSearch, rankRelevance, searchCondition } from '#origin/platform/search/search-condition.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { isEditableBy, isVisibleTo } from './content-rights.ts';

type ListQuery = Omit<z.output<typeof contentListQuery>, 'author' | 'author_exclude'> | RouteQuery<typeof listMedia>;

/** Query parameters that all lists of content share. Kinds without pages have no author parameters. */
export type SharedQuery = Pick<ListQuery, keyof ListQuery> &
  Partial<Pick<z.output<typeof contentListQuery>, 'author' | 'author_exclude'>> & { orderby: ContentOrder };

/** Includes all orders, as pages support most. */
type ContentOrder = RouteQuery<typeof listPages>['orderby'];

/** Builds the condition of the parameters that all kinds share. Rows that the caller may not see are excluded. */
export async function matchesContentList(
  kind: ContentKind,
  query: SharedQuery,
  call: Pick<AnyCall, 'caller' | 'context' | 'requestMemo'>,
): Promise<SQL | undefined> {
  const { author = [], author_exclude: notAuthors = [], status, after, before } = query;
  const { modified_after: modifiedAfter, modified_before: modifiedBefore } = query;
  const hasTimes = [after, before, modifiedAfter, modifiedBefore].some((text) => text !== undefined);
  const timeZone = hasTimes ? (await loadSite(call)).timezone : 'UTC';
  const siteTime = (text: string) => parseSiteTime(text, timeZone);
  // All rows that match are public, so that the database needn't check each one.
  const isForAll = query.context !== 'edit' && status.length > 0 && status.every((name) => name === 'publish');
  return and(
    eq(content.type, kind.type),
    status.some((name) => name === 'any')
      ? notInArray(content.status, ['trash', 'auto-draft'])
      : inArray(content.status, [...status]),
    matchesList(content, query),
    // Excluded authors have priority over included ones.
    notAuthors.length > 0 ? noneOf(content.authorId, notAuthors) : anyOf(content.authorId, author),
    after === undefined ? undefined : gt(content.date, siteTime(after)),
    before === undefined ? undefined : lt(content.date, siteTime(before)),
    modifiedAfter === undefined ? undefined : gt(content.modified, siteTime(modifiedAfter)),
    modifiedBefore === undefined ? undefined : lt(content.modified, siteTime(modifiedBefore)),
    matchesContentSearch(query.search, call.caller, {
      columns: searchedColumns(kind, query.search_columns),
      isExact: query.search_semantics === 'exact',
    }),
    isForAll ? undefined : isVisibleTo(call.caller, query.context),
  );
}

const SEARCHED = { post_title: content.title, post_content: content.content, post_excerpt: content.excerpt };
const TEXT_COLUMNS = Object.values(SEARCHED);
/** Media are also found by file name, unless columns are given. */
export const MEDIA_COLUMNS = [...TEXT_COLUMNS, content.file];

function searchedColumns({ isFile }: ContentKind, names: SharedQuery['search_columns']): SQLWrapper[] {
  return names.length > 0 ? names.map((name) => SEARCHED[name]) : isFile ? MEDIA_COLUMNS : TEXT_COLUMNS;
}

/** Protected content is searched for its editors only, as results would reveal its words. */
export function matchesContentSearch(
  text: string | undefined,
  caller: Caller,
  options: { columns?: readonly SQLWrapper[]; isExact?: boolean } = {},
): SQL | undefined {
  const { columns = TEXT_COLUMNS, isExact = false } = options;
  const terms = parseSearch(text ?? '');
  return terms && and(searchCondition(terms, columns, isExact), or(eq(content.password, ''), isEditableBy(caller)));
}

const ORDERS = {
  author: content.authorId,
  date: content.date,
  menu_order: content.menuOrder,
  modified: content.modified,
  parent: content.parentId,
  relevance: content.date,
  slug: bytewise(content.slug),
  title: bytewise(foldColumn(content.title)),
};

/**
 * Builds the order of a list.
 *
 * @param ties direction by ID among equal rows. @default that of the list
 */
export function orderContent(
  query: OrderQuery<ContentOrder> & { search?: string | undefined },
  ties = query.order,
): SQL[] {
  const order = orderRows<ContentOrder>(content, query, ORDERS, ties);
  const terms = query.orderby === 'relevance' ? parseSearch(query.search ?? '') : undefined;
  return terms ? [asc(rankRelevance(terms, content)), ...order] : order;
}

/** Term parameter: IDs, or IDs with options. */
type TermQuery = readonly number[] | TermOptions;
type TermOptions = { terms: readonly number[]; operator?: 'AND' | 'OR'; include_children?: boolean };

interface TermFilter {
  included: readonly (TermQuery | undefined)[];
  excluded: readonly (TermQuery | undefined)[];
  /** @default 'AND' */
  relation?: 'AND' | 'OR' | undefined;
}

/** Builds the condition of the term parameters of a list. Empty parameters are ignored. */
export async function matchesTerms(
  db: Database,
  { included, excluded, relation }: TermFilter,
): Promise<SQL | undefined> {
  const conditions = await Promise.all([
    ...included.map((query) => termCondition(db, query)),
    ...excluded.map(async (query) => {
      const hasTerm = await termCondition(db, query);
      return hasTerm && not(hasTerm);
    }),
  ]);
  return relation === 'OR' ? or(...conditions) : and(...conditions);
}

async function termCondition(db: Database, query: TermQuery | undefined): Promise<SQL | undefined> {
  if (query === undefined) return undefined;
  const { terms, operator, include_children: withChildren }: TermOptions = 'terms' in query ? query : { terms: query };
  if (terms.length === 0) return undefined;
  const groups = withChildren ? await findDescendants(db, terms) : terms.map((id) => [id]);
  return operator === 'AND' ? and(...groups.map((ids) => hasTerm(db, ids))) : hasTerm(db, groups.flat());
}

/** True for content with one of these terms. */
export function hasTerm(db: Database, ids: readonly number[]): SQL {
  const found = and(eq(contentTerm.contentId, content.id), inArray(contentTerm.termId, [...ids]));
  return exists(
    db
      .select({ one: sql`1` })
      .from(contentTerm)
      .where(found),
  );
}

/** True if a term parameter selects content, instead of excluding it. */
export function selectsTerms(...queries: readonly (TermQuery | undefined)[]): boolean {
  return queries.some((query) => query !== undefined && ('terms' in query ? query.terms : query).length > 0);
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
