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
import { serveRevisions } from './revisions.ts';
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
    permit: (call) => authorizeList(call, kind),
    checks: { status: checkStatus(kind) },
  });
  registry.serve(routes.create, (call) => createContent(call, kind, present), {
    permit: (call) => authorizeCreation(call, kind),
    checks,
  });
  registry.serve(routes.get, (call) => getItem(call, kind, present), { permit: (call) => authorizeItem(call, kind) });
  registry.serve(routes.update, (call) => updateContent(call, kind, present), {
    permit: (call) => authorizeUpdate(call, kind),
    checks,
  });
  registry.serve(routes.remove, (call) => deleteContent(call, kind, present), {
    permit: (call) => authorizeDeletion(call, kind),
  });

  serveRevisions(registry, kind);
}
