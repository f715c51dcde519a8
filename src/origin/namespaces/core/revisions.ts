import {
  deleteNavigationMenuRevision,
  deletePageRevision,
  deletePostRevision,
  getNavigationMenuAutosave,
  getNavigationMenuRevision,
  getPageAutosave,
  getPageRevision,
  getPostAutosave,
  getPostRevision,
  listNavigationMenuAutosaves,
  listNavigationMenuRevisions,
  listPageAutosaves,
  listPageRevisions,
  listPostAutosaves,
  listPostRevisions,
  saveNavigationMenuDraft,
  savePageDraft,
  savePostDraft,
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerAutosave, answerAutosaves } from './revisions/answer-autosaves.ts';
import { answerRevision } from './revisions/answer-revision.ts';
import { answerRevisions } from './revisions/answer-revisions.ts';
import { deleteRevision } from './revisions/delete-revision.ts';
import { permitReading, permitRevisionDeletion } from './revisions/permit-revisions.ts';
import {
  NAVIGATION_MENU_REVISION,
  PAGE_REVISION,
  POST_REVISION,
  type RevisionKind,
} from './revisions/revision-kind.ts';
import { saveAutosave } from './revisions/save-autosave.ts';
import { writingChecks } from '#origin/platform/content/writing/check-writing.ts';
import { permitUpdate } from '#origin/platform/content/writing/permit-writing.ts';

const POST_ROUTES = {
  list: listPostRevisions,
  get: getPostRevision,
  remove: deletePostRevision,
  listAutosaves: listPostAutosaves,
  save: savePostDraft,
  getAutosave: getPostAutosave,
} as const;
const PAGE_ROUTES = {
  list: listPageRevisions,
  get: getPageRevision,
  remove: deletePageRevision,
  listAutosaves: listPageAutosaves,
  save: savePageDraft,
  getAutosave: getPageAutosave,
} as const;

const NAVIGATION_MENU_ROUTES = {
  list: listNavigationMenuRevisions,
  get: getNavigationMenuRevision,
  remove: deleteNavigationMenuRevision,
  listAutosaves: listNavigationMenuAutosaves,
  save: saveNavigationMenuDraft,
  getAutosave: getNavigationMenuAutosave,
} as const;

/** Serves the revisions and autosaves of posts, pages and navigation menus. */
export function serveRevisions(registry: RouteRegistry): void {
  serveRevisionsOf(registry, POST_ROUTES, POST_REVISION);
  serveRevisionsOf(registry, PAGE_ROUTES, PAGE_REVISION);
  serveRevisionsOf(registry, NAVIGATION_MENU_ROUTES, NAVIGATION_MENU_REVISION);
}

function serveRevisionsOf(
  registry: RouteRegistry,
  routes: typeof POST_ROUTES | typeof PAGE_ROUTES | typeof NAVIGATION_MENU_ROUTES,
  kind: RevisionKind,
): void {
  registry.serve(routes.list, (call) => answerRevisions(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.parent),
  });
  registry.serve(routes.get, (call) => answerRevision(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.parent),
  });
  registry.serve(routes.remove, (call) => deleteRevision(call, kind), {
    permit: (call) => permitRevisionDeletion(call, kind),
  });
  registry.serve(routes.listAutosaves, (call) => answerAutosaves(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.id),
  });
  registry.serve(routes.save, (call) => saveAutosave(call, kind), {
    permit: permitUpdate(kind.of),
    checks: writingChecks(kind.of),
  });
  registry.serve(routes.getAutosave, (call) => answerAutosave(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.parent),
  });
}
