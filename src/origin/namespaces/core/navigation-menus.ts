import {
  createNavigationMenu,
  deleteNavigationMenu,
  getNavigationMenu,
  listNavigationMenus,
  updateNavigationMenu,
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerList } from '#origin/platform/content/answer-list.ts';
import { checkStatus } from '#origin/platform/content/check-status.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { permitList } from '#origin/platform/content/permit-list.ts';
import { presentNavigationMenu } from '#origin/platform/content/present-navigation-menu.ts';
import { sharedFilter } from '#origin/platform/content/shared-filter.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { serveWriting } from '#origin/platform/content/writing/serve-writing.ts';

const kind = CONTENT_KINDS.wp_navigation;

/** Serves navigation menus. */
export function serveNavigationMenus(registry: RouteRegistry): void {
  registry.serve(
    listNavigationMenus,
    async (call) => {
      const { query, caller } = call;
      const { timezone } = await loadSite(call);
      const filter = sharedFilter(kind.type, query, { timeZone: timezone, caller });
      return answerList(call, { kind, query, filter, present: presentNavigationMenu });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );

  const routes = {
    create: createNavigationMenu,
    get: getNavigationMenu,
    update: updateNavigationMenu,
    remove: deleteNavigationMenu,
  };
  serveWriting(registry, routes, kind, presentNavigationMenu);
}
