import { createPost, deletePost, getPost, listPosts, updatePost } from '#contracts/core/index.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerList } from '#origin/platform/content/answer-list.ts';
import { checkStatus } from '#origin/platform/content/check-status.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { permitList } from '#origin/platform/content/permit-list.ts';
import { presentPost } from '#origin/platform/content/present-post.ts';
import { sharedFilter } from '#origin/platform/content/shared-filter.ts';
import { termClauses } from '#origin/platform/content/term-clauses.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { findSticky } from '#origin/platform/content/find-sticky.ts';
import { serveWriting } from '#origin/platform/content/writing/serve-writing.ts';

const kind = CONTENT_KINDS.post;

/** Serves posts. */
export function servePosts(registry: RouteRegistry): void {
  registry.serve(
    listPosts,
    async (call) => {
      const { query, caller, context } = call;
      const { db } = context.store;
      const { timezone } = await loadSite(call);
      const filter = {
        ...sharedFilter('post', query, { timeZone: timezone, caller }),
        sticky: query.sticky,
        formats: query.format ?? [],
        terms: await termClauses(db, [query.categories, query.tags], [query.categories_exclude, query.tags_exclude]),
        termRelation: query.tax_relation ?? 'AND',
      } as const;
      const arrange = async (rows: ContentRow[]) => putFirst(await findSticky(db, filter.viewer, query.exclude), rows);
      return answerList(call, {
        kind,
        query,
        filter,
        present: presentPost,
        ...(hasStickyFirst(query) ? { arrange } : {}),
      });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );

  const routes = { create: createPost, get: getPost, update: updatePost, remove: deletePost };
  serveWriting(registry, routes, kind, presentPost);
}

/** Sticky posts come first on the first page of a list that was not narrowed by what it is about. */
function hasStickyFirst(query: RouteQuery<typeof listPosts>): boolean {
  const { search, include, categories, tags, format, sticky } = query;
  const isNarrowed = [search, categories, tags, format, sticky].some((value) => value !== undefined && value !== '');
  return !query.ignore_sticky && query.page === 1 && !isNarrowed && include.length === 0;
}

/** Sticky rows of the page first, then those that were not on it, then the others. */
function putFirst(sticky: readonly ContentRow[], rows: readonly ContentRow[]): ContentRow[] {
  const ids = new Set(sticky.map(({ id }) => id));
  const shown = new Set(rows.map(({ id }) => id));
  const isSticky = ({ id }: ContentRow) => ids.has(id);
  return [
    ...rows.filter(isSticky),
    ...sticky.filter(({ id }) => !shown.has(id)),
    ...rows.filter((row) => !isSticky(row)),
  ];
}
