import type { z } from 'zod';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { Call, RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { getItem, authorizeItem } from './get-item.ts';
import { listContent, type ListOptions } from './list-content.ts';
import { checkStatus } from './check-status.ts';
import type { ContentFilter } from './content-filter.ts';
import { authorizeList } from './content-rights.ts';
import { sharedFilter } from './find-content.ts';
import { getContentRevision, listContentRevisions } from './revisions/content-revisions.ts';
import { deleteRevision } from './revisions/delete-revision.ts';
import { authorizeRevisionReading, authorizeRevisionDeletion } from './revisions/load-revision.ts';
import { getContentAutosave, listContentAutosaves, saveAutosave } from './revisions/save-autosave.ts';
import { writingChecks } from './writing/check-writing.ts';
import { createContent } from './writing/create-content.ts';
import { deleteContent } from './writing/delete-content.ts';
import { authorizeCreation, authorizeDeletion, authorizeUpdate } from './writing/authorize-writing.ts';
import type { Present } from './writing/present-written.ts';
import { updateContent } from './writing/update-content.ts';

/** A content kind with its routes and presenter. */
export interface ServedKind<R extends ContentRoutes = ContentRoutes> extends ContentKind {
  routes: R;
  present: Present<z.input<R['get']['response']>>;
  /** Additional conditions and options of a list. */
  list?(call: Call<R['list']>): Promise<ListExtras> | ListExtras;
}

export interface ListExtras extends Pick<ListOptions<unknown>, 'asTree' | 'arrange'> {
  filter?: Partial<ContentFilter>;
}

/** Registers the routes of a content kind: rows, revisions and autosaves. */
export function serveContent(registry: RouteRegistry, kind: ServedKind): void {
  const { routes, present } = kind;
  const checks = writingChecks(kind);

  registry.serve(
    routes.list,
    async (call) => {
      const { query } = call;
      const { filter, ...extras } = (await kind.list?.(call)) ?? {};
      const shared = await sharedFilter(kind.type, query, call);
      return listContent(call, { kind, query, filter: { ...shared, ...filter }, present, ...extras });
    },
    { permit: authorizeList(kind), checks: { status: checkStatus(kind) } },
  );
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

  registry.serve(routes.listRevisions, (call) => listContentRevisions(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.parent),
  });
  registry.serve(routes.getRevision, (call) => getContentRevision(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.parent),
  });
  registry.serve(routes.removeRevision, (call) => deleteRevision(call, kind), {
    permit: (call) => authorizeRevisionDeletion(call, kind),
  });

  registry.serve(routes.listAutosaves, (call) => listContentAutosaves(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.id),
  });
  registry.serve(routes.saveAutosave, (call) => saveAutosave(call, kind), { permit: authorizeUpdate(kind), checks });
  registry.serve(routes.getAutosave, (call) => getContentAutosave(call, kind), {
    permit: (call) => authorizeRevisionReading(call, kind, call.params.parent),
  });
}
