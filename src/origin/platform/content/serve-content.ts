import type { z } from 'zod';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import {
  authorizeCreation,
  authorizeDeletion,
  authorizeItem,
  authorizeList,
  authorizeUpdate,
  checkStatus,
  writingChecks,
} from './content-rights.ts';
import type { Present } from './present-content.ts';
import { getItem, listContent, type ListExtras } from './read-content.ts';
import * as revisions from './revisions.ts';
import { createContent, deleteContent, updateContent } from './writing/write-content.ts';

export interface ServedKind<R extends ContentRoutes = ContentRoutes> extends ContentKind {
  routes: R;
  present: Present<z.input<R['get']['response']>>;
  /** Additional conditions and options of a list. */
  list?(call: Call<R['list']>): Promise<ListExtras> | ListExtras;
}

/** Registers the routes of a content kind: rows, revisions and autosaves. */
export function serveContent(registry: RouteRegistry, kind: ServedKind): void {
  const { routes, present } = kind;
  const checks = writingChecks(kind);

  registry.serve(routes.list, async (call) => listContent(call, kind, present, await kind.list?.(call)), {
    permit: authorizeList(kind),
    checks: { status: checkStatus(kind) },
  });
  registry.serve(routes.create, (call) => createContent(call, kind, present), {
    permit: authorizeCreation(kind),
    checks,
  });
  registry.serve(routes.get, (call) => getItem(call, kind, present), { permit: authorizeItem(kind) });
  registry.serve(routes.update, (call) => updateContent(call, kind, present), {
    permit: authorizeUpdate(kind),
    checks,
  });
  registry.serve(routes.remove, (call) => deleteContent(call, kind, present), { permit: authorizeDeletion(kind) });

  registry.serve(routes.listRevisions, (call) => revisions.listContentRevisions(call, kind), {
    permit: (call) => revisions.authorizeRevisionReading(call, kind, call.params.parent),
  });
  registry.serve(routes.getRevision, (call) => revisions.getContentRevision(call, kind), {
    permit: (call) => revisions.authorizeRevisionReading(call, kind, call.params.parent),
  });
  registry.serve(routes.removeRevision, (call) => revisions.deleteRevision(call, kind), {
    permit: (call) => revisions.authorizeRevisionDeletion(call, kind),
  });

  registry.serve(routes.listAutosaves, (call) => revisions.listContentAutosaves(call, kind), {
    permit: (call) => revisions.authorizeRevisionReading(call, kind, call.params.id),
  });
  registry.serve(routes.saveAutosave, (call) => revisions.saveAutosave(call, kind), {
    permit: authorizeUpdate(kind),
    checks,
  });
  registry.serve(routes.getAutosave, (call) => revisions.getContentAutosave(call, kind), {
    permit: (call) => revisions.authorizeRevisionReading(call, kind, call.params.parent),
  });
}
