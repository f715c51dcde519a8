import { eq } from 'drizzle-orm';
import { item, RestError, type Answer } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { writeContent } from '../write-content.ts';
import { withoutLinks } from '../writing/without-links.ts';
import type { RevisionCall } from './answer-revision.ts';
import { loadRevision, revisionKey } from './load-revision.ts';
import { presentRevision } from './present-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

/** Forgets a revision and answers how it was. Revisions know no trash, so it has to be forced. */
export async function deleteRevision(
  call: RevisionCall & { query: { force: boolean } },
  kind: RevisionKind,
): Promise<Answer> {
  const { params, query, context } = call;
  const row = await loadRevision(call, params.id);
  if (!query.force)
    throw new RestError(
      'rest_trash_not_supported',
      501,
      'Revisions have no trash. Send force=true to delete for good.',
    );
  const shown = await presentRevision(row, { call, kind, context: 'view', site: await loadSite(call) });
  await writeContent(context.store.db, (tx) => tx.delete(content).where(eq(content.id, row.id)));
  call.memo.forget(revisionKey(row.id));
  return item({ deleted: true, previous: withoutLinks(shown, row.id, call) });
}
