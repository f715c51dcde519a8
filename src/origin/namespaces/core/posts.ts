import { and, desc, eq, notInArray } from 'drizzle-orm';
import { postRoutes } from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { termClauses } from '#origin/platform/content/find-content.ts';
import { presentPost } from '#origin/platform/content/present-content.ts';
import { isVisibleTo, type Viewer } from '#origin/platform/content/rights-condition.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

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
