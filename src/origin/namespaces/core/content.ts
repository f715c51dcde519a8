import { and, desc, eq, notInArray } from 'drizzle-orm';
import {
  postRoutes,
  navigationMenuRoutes,
  pageRoutes,
  createCategory,
  createTag,
  deleteCategory,
  deleteTag,
  getCategory,
  getTag,
  listCategories,
  listTags,
  updateCategory,
  updateTag,
} from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { termClauses } from '#origin/platform/content/find-content.ts';
import { presentPost, presentNavigationMenu, presentPage } from '#origin/platform/content/present-content.ts';
import { isVisibleTo, type Viewer } from '#origin/platform/content/rights-condition.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { getResource } from '#origin/platform/resources/resource.ts';
import { authorizeTermList, authorizeTermRead, categories, listTerms, tags } from './terms/find-terms.ts';
import {
  createTerm,
  deleteTerm,
  authorizeTermCreate,
  authorizeTermUpdate,
  authorizeTermDelete,
  updateTerm,
} from './terms/write-terms.ts';

export const posts: ServedKind<typeof postRoutes> = {
  ...CONTENT_KINDS.post,
  routes: postRoutes,
  present: presentPost,
  async list({ query, caller, context }) {
    const { db } = context.store;
    const viewer = { caller, as: query.context === 'edit' ? 'editor' : 'reader' } as const;
    const arrange = async (rows: ContentRow[]) => moveStickyFirst(await findSticky(db, viewer, query.exclude), rows);
    const filter = {
      sticky: query.sticky,
      formats: query.format ?? [],
      terms: await termClauses(db, [query.categories, query.tags], [query.categories_exclude, query.tags_exclude]),
      termRelation: query.tax_relation ?? 'AND',
    } as const;
    return { filter, ...(hasStickyFirst(query) ? { arrange } : {}) };
  },
};

/** True for the first page of a list without content filters, which starts with the sticky posts. */
function hasStickyFirst(query: RouteQuery<typeof postRoutes.list>): boolean {
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
function findSticky(db: Database, viewer: Viewer, excludedIds: readonly number[]): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(
      and(
        eq(content.type, 'post'),
        eq(content.status, 'publish'),
        eq(content.sticky, true),
        isVisibleTo(viewer),
        excludedIds.length > 0 ? notInArray(content.id, [...excludedIds]) : undefined,
      ),
    )
    .orderBy(desc(content.date), desc(content.id));
}

export const pages: ServedKind<typeof pageRoutes> = {
  ...CONTENT_KINDS.page,
  routes: pageRoutes,
  present: presentPage,
  list: ({ query }) => ({
    filter: { parents: query.parent, notParents: query.parent_exclude, menuOrder: query.menu_order },
    asTree: query.orderby_hierarchy,
  }),
};

export const navigationMenus: ServedKind<typeof navigationMenuRoutes> = {
  ...CONTENT_KINDS.wp_navigation,
  routes: navigationMenuRoutes,
  present: presentNavigationMenu,
};

export function serveTerms(registry: RouteRegistry): void {
  registry.serve(listCategories, (call) => listTerms(call, categories), { permit: authorizeTermList });
  registry.serve(createCategory, (call) => createTerm(call, categories), {
    permit: (call) => authorizeTermCreate(call, categories),
  });
  registry.serve(getCategory, (call) => getResource(call, categories), {
    permit: (call) => authorizeTermRead(call, categories),
  });
  registry.serve(updateCategory, (call) => updateTerm(call, categories), {
    permit: (call) => authorizeTermUpdate(call, categories),
  });
  registry.serve(deleteCategory, (call) => deleteTerm(call, categories), {
    permit: (call) => authorizeTermDelete(call, categories),
  });
  registry.serve(listTags, (call) => listTerms(call, tags), { permit: authorizeTermList });
  registry.serve(createTag, (call) => createTerm(call, tags), { permit: (call) => authorizeTermCreate(call, tags) });
  registry.serve(getTag, (call) => getResource(call, tags), { permit: (call) => authorizeTermRead(call, tags) });
  registry.serve(updateTag, (call) => updateTerm(call, tags), { permit: (call) => authorizeTermUpdate(call, tags) });
  registry.serve(deleteTag, (call) => deleteTerm(call, tags), { permit: (call) => authorizeTermDelete(call, tags) });
}
