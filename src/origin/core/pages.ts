import { createPage, deletePage, getPage, listPages, updatePage } from '../../contracts/core/index.ts';
import type { RouteRegistry } from '../publishing/transport/index.ts';
import { answerItem, permitItem } from './content/answer-item.ts';
import { answerList } from './content/answer-list.ts';
import { checkStatus } from './content/check-status.ts';
import { CONTENT_KINDS } from './content/content-kind.ts';
import { permitList } from './content/permit-list.ts';
import { presentPage } from './content/present-page.ts';
import { sharedFilter } from './content/shared-filter.ts';
import { loadSite } from './site/index.ts';
import { writingChecks } from './writing/check-writing.ts';
import { createContent } from './writing/create-content.ts';
import { deleteContent } from './writing/delete-content.ts';
import { permitCreation, permitDeletion, permitUpdate } from './writing/permit-writing.ts';
import { updateContent } from './writing/update-content.ts';

const kind = CONTENT_KINDS.page;

/** Serves pages. */
export function servePages(registry: RouteRegistry): void {
  registry.serve(
    listPages,
    async (call) => {
      const { query, caller } = call;
      const { timezone } = await loadSite(call);
      const filter = {
        ...sharedFilter('page', query, { timeZone: timezone, isAnonymous: caller.user === undefined }),
        parents: query.parent,
        notParents: query.parent_exclude,
        menuOrder: query.menu_order,
      };
      return answerList(call, { kind, query, filter, present: presentPage, asTree: query.orderby_hierarchy });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );

  registry.serve(createPage, (call) => createContent(call, kind, presentPage), {
    permit: permitCreation(kind),
    checks: writingChecks(kind),
  });

  registry.serve(getPage, (call) => answerItem(call, kind, presentPage), { permit: permitItem(kind) });
  registry.serve(updatePage, (call) => updateContent(call, kind, presentPage), {
    permit: permitUpdate(kind),
    checks: writingChecks(kind),
  });
  registry.serve(deletePage, (call) => deleteContent(call, kind, presentPage), { permit: permitDeletion(kind) });
}
