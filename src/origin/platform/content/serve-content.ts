import type { z } from 'zod';
import type { ContentRoutes } from '#contracts/core/index.ts';
import type { Call, RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { answerItem, permitItem } from './answer-item.ts';
import { answerList, type ListOptions } from './answer-list.ts';
import { checkStatus } from './check-status.ts';
import type { ContentFilter } from './content-filter.ts';
import { permitList } from './content-rights.ts';
import { sharedFilter } from './find-content.ts';
import { answerRevision, answerRevisions } from './revisions/answer-revisions.ts';
import { deleteRevision } from './revisions/delete-revision.ts';
import { permitReading, permitRevisionDeletion } from './revisions/load-revision.ts';
import { answerAutosave, answerAutosaves, saveAutosave } from './revisions/save-autosave.ts';
import { writingChecks } from './writing/check-writing.ts';
import { createContent } from './writing/create-content.ts';
import { deleteContent } from './writing/delete-content.ts';
import { permitCreation, permitDeletion, permitUpdate } from './writing/permit-writing.ts';
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
      return answerList(call, { kind, query, filter: { ...shared, ...filter }, present, ...extras });
    },
    { permit: permitList(kind), checks: { status: checkStatus(kind) } },
  );
  registry.serve(routes.create, (call) => createContent(call, kind, present), { permit: permitCreation(kind), checks });
  registry.serve(routes.get, (call) => answerItem(call, kind, present), { permit: permitItem(kind) });
  registry.serve(routes.update, (call) => updateContent(call, kind, present), { permit: permitUpdate(kind), checks });
  registry.serve(routes.remove, (call) => deleteContent(call, kind, present), { permit: permitDeletion(kind) });

  registry.serve(routes.listRevisions, (call) => answerRevisions(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.parent),
  });
  registry.serve(routes.getRevision, (call) => answerRevision(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.parent),
  });
  registry.serve(routes.removeRevision, (call) => deleteRevision(call, kind), {
    permit: (call) => permitRevisionDeletion(call, kind),
  });

  registry.serve(routes.listAutosaves, (call) => answerAutosaves(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.id),
  });
  registry.serve(routes.saveAutosave, (call) => saveAutosave(call, kind), { permit: permitUpdate(kind), checks });
  registry.serve(routes.getAutosave, (call) => answerAutosave(call, kind), {
    permit: (call) => permitReading(call, kind, call.params.parent),
  });
}
