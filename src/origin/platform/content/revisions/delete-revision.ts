import { eq } from 'drizzle-orm';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { item, type ResultOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { writeContent } from '../write-content.ts';
import { presentRevision } from './content-revisions.ts';
import { loadRevision, revisionKey } from './load-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

/** Deletes a revision and returns its former state. Revisions have no trash, so `force` is required. */
export async function deleteRevision(
  call: AnyCall<RouteErrors<ContentRoutes['removeRevision']>> & {
    params: { parent: number; id: number };
    query: { force: boolean };
  },
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['removeRevision']>> {
  const { params, query, context } = call;
  const row = await loadRevision(call, params.id);
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Revisions have no trash. Send force=true to delete for good.');
  const shown = await presentRevision(row, { call, kind, context: 'view', site: await loadSite(call) });
  await writeContent(context.store.db, (tx) => tx.delete(content).where(eq(content.id, row.id)));
  call.memo.forget(revisionKey(row.id));
  return item({ deleted: true, previous: presentPrevious(shown, row.id, call) });
}
