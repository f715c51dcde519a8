import {
  createNavigationMenu,
  deleteNavigationMenu,
  getNavigationMenu,
  listNavigationMenus,
  updateNavigationMenu,
} from '../../contracts/core/index.ts';
import type { RouteRegistry } from '../publishing/transport/index.ts';
import { answerItem, permitItem } from './content/answer-item.ts';
import { answerList } from './content/answer-list.ts';
import { checkStatus } from './content/check-status.ts';
import { CONTENT_KINDS } from './content/content-kind.ts';
import { permitList } from './content/permit-list.ts';
import { presentNavigationMenu } from './content/present-navigation-menu.ts';
import { sharedFilter } from './content/shared-filter.ts';
import { loadSite } from './site/index.ts';
import { writingChecks } from './writing/check-writing.ts';
import { createContent } from './writing/create-content.ts';
import { deleteContent } from './writing/delete-content.ts';
import { permitCreation, permitDeletion, permitUpdate } from './writing/permit-writing.ts';
import { updateContent } from './writing/update-content.ts';

const kind = CONTENT_KINDS.wp_navigation;

/** Serves navigation menus. */
export function serveNavigationMenus(registry: RouteRegistry): void {
  registry.serve(
    listNavigationMenus,
    async (call) => {
      const { query, caller } = call;
      const { timezone } = await loadSite(call);
      const filter = sharedFilter(kind.type, query, { timeZone: timezone, isAnonymous: caller.user === undefined });
      return answerList(call, { kind, query, filter, present: presentNavigationMenu });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );

  registry.serve(createNavigationMenu, (call) => createContent(call, kind, presentNavigationMenu), {
    permit: permitCreation(kind),
    checks: writingChecks(kind),
  });

  registry.serve(getNavigationMenu, (call) => answerItem(call, kind, presentNavigationMenu), {
    permit: permitItem(kind),
  });
  registry.serve(updateNavigationMenu, (call) => updateContent(call, kind, presentNavigationMenu), {
    permit: permitUpdate(kind),
    checks: writingChecks(kind),
  });
  registry.serve(deleteNavigationMenu, (call) => deleteContent(call, kind, presentNavigationMenu), {
    permit: permitDeletion(kind),
  });
}
