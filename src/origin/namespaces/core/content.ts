import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { anyOf, noneOf } from '#origin/platform/content/resources/find-rows.ts';
import * as routes from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { matchesTerms, selectsTerms } from '#origin/platform/content/find-content.ts';
import { presentPost, presentNavigationMenu, presentPage } from '#origin/platform/content/present-content.ts';
import { isVisibleTo } from '#origin/platform/content/content-rights.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

export const posts: ServedKind<typeof routes.postRoutes> = {
  ...CONTENT_KINDS.post,
  routes: routes.postRoutes,
  present: presentPost,
  async list({ query, caller, context }) {
    const { db } = context.store;
    const arrange = async (rows: ContentRow[]) =>
      moveStickyFirst(await findSticky(db, isVisibleTo(caller, query.context), query.exclude), rows);
    const { categories, tags, sticky, format: formats = [] } = query;
    const excluded = [query.categories_exclude, query.tags_exclude];
    return {
      where: and(
        sticky === undefined ? undefined : eq(content.sticky, sticky),
        // A standard post has no format.
        anyOf(content.format, formats.includes('standard') ? [...formats, ''] : formats),
        await matchesTerms(db, { included: [categories, tags], excluded, relation: query.tax_relation }),
      ),
      isMixed: formats.length > 0 || selectsTerms(categories, tags),
      ...(hasStickyFirst(query) ? { arrange } : {}),
    };
  },
};

/** True for the first page of a list without content filters, which starts with the sticky posts. */
function hasStickyFirst(query: RouteQuery<typeof routes.postRoutes.list>): boolean {
  const { search, include, categories, tags, format, sticky } = query;
  const isNarrowed = [search, categories, tags, format, sticky].some((value) => value !== undefined && value !== '');
  return !query.ignore_sticky && query.page === 1 && !isNarrowed && include.length === 0;
}

/** Moves the sticky rows of the page to the front, followed by the remaining sticky posts. */
function moveStickyFirst(sticky: readonly ContentRow[], rows: readonly ContentRow[]): ContentRow[] {
  const ids = new Set(sticky.map(({ id }) => id));
  const shown = new Set(rows.map(({ id }) => id));
  const isSticky = ({ id }: ContentRow) => ids.has(id);
  return [
    ...rows.filter(isSticky),
    ...sticky.filter(({ id }) => !shown.has(id)),
    ...rows.filter((row) => !isSticky(row)),
  ];
}

/** Finds all published sticky posts that the viewer can see, newest first. */
function findSticky(db: Database, isVisible: SQL, excludedIds: readonly number[]): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(
      and(
        eq(content.type, 'post'),
        eq(content.status, 'publish'),
        eq(content.sticky, true),
        isVisible,
        noneOf(content.id, excludedIds),
      ),
    )
    .orderBy(desc(content.date), desc(content.id));
}

export const pages: ServedKind<typeof routes.pageRoutes> = {
  ...CONTENT_KINDS.page,
  routes: routes.pageRoutes,
  present: presentPage,
  list: ({ query }) => ({
    where: and(matchesParents(query), query.menu_order === undefined ? undefined : hasMenuOrder(query.menu_order)),
    isMixed: query.parent.some((id) => id !== 0),
    asTree: query.orderby_hierarchy,
  }),
};

/** Numbers beyond the range of the column match nothing. */
function hasMenuOrder(position: number): SQL {
  return Math.abs(position) < 2 ** 31 ? eq(content.menuOrder, position) : sql`false`;
}

export function matchesParents(query: { parent: readonly number[]; parent_exclude: readonly number[] }) {
  return and(anyOf(content.parentId, query.parent), noneOf(content.parentId, query.parent_exclude));
}

export const navigationMenus: ServedKind<typeof routes.navigationMenuRoutes> = {
  ...CONTENT_KINDS.wp_navigation,
  routes: routes.navigationMenuRoutes,
  present: presentNavigationMenu,
};
