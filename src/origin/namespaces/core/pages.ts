import { createPage, deletePage, getPage, listPages, updatePage } from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerList } from '#origin/platform/content/answer-list.ts';
import { checkStatus } from '#origin/platform/content/check-status.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { permitList } from '#origin/platform/content/permit-list.ts';
import { presentPage } from '#origin/platform/content/present-page.ts';
import { sharedFilter } from '#origin/platform/content/shared-filter.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { serveWriting } from '#origin/platform/content/writing/serve-writing.ts';

const kind = CONTENT_KINDS.page;

/** Serves pages. */
export function servePages(registry: RouteRegistry): void {
  registry.serve(
    listPages,
    async (call) => {
      const { query, caller } = call;
      const { timezone } = await loadSite(call);
      const filter = {
        ...sharedFilter('page', query, { timeZone: timezone, caller }),
        parents: query.parent,
        notParents: query.parent_exclude,
        menuOrder: query.menu_order,
      };
      return answerList(call, { kind, query, filter, present: presentPage, asTree: query.orderby_hierarchy });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );

  const routes = { create: createPage, get: getPage, update: updatePage, remove: deletePage };
  serveWriting(registry, routes, kind, presentPage);
}
