import type {
  createNavigationMenu,
  createPage,
  createPost,
  deleteNavigationMenu,
  deletePage,
  deletePost,
  getNavigationMenu,
  getPage,
  getPost,
  updateNavigationMenu,
  updatePage,
  updatePost,
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerItem, permitItem } from '../answer-item.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { writingChecks } from './check-writing.ts';
import { createContent } from './create-content.ts';
import { deleteContent } from './delete-content.ts';
import { permitCreation, permitDeletion, permitUpdate } from './permit-writing.ts';
import type { Present } from './present-written.ts';
import { updateContent } from './update-content.ts';

interface WritingRoutes {
  create: typeof createPost | typeof createPage | typeof createNavigationMenu;
  get: typeof getPost | typeof getPage | typeof getNavigationMenu;
  update: typeof updatePost | typeof updatePage | typeof updateNavigationMenu;
  remove: typeof deletePost | typeof deletePage | typeof deleteNavigationMenu;
}

/** Serves what posts, pages and navigation menus have in common: creating one, reading it, changing and deleting it. */
export function serveWriting(
  registry: RouteRegistry,
  routes: WritingRoutes,
  kind: ContentKind,
  present: Present,
): void {
  registry.serve(routes.create, (call) => createContent(call, kind, present), {
    permit: permitCreation(kind),
    checks: writingChecks(kind),
  });
  registry.serve(routes.get, (call) => answerItem(call, kind, present), { permit: permitItem(kind) });
  registry.serve(routes.update, (call) => updateContent(call, kind, present), {
    permit: permitUpdate(kind),
    checks: writingChecks(kind),
  });
  registry.serve(routes.remove, (call) => deleteContent(call, kind, present), { permit: permitDeletion(kind) });
}
