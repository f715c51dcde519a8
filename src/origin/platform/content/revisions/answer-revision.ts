import type { ContentRoutes } from '#contracts/core/index.ts';
import type { AnswerOf, Call } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { answerState } from './answer-state.ts';
import { loadRevision } from './load-revision.ts';
import { presentRevision } from './present-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

/** One revision, of the row that the path names. */
export async function answerRevision(
  call: Call<ContentRoutes['getRevision']>,
  kind: RevisionKind,
): Promise<AnswerOf<ContentRoutes['getRevision']>> {
  const { params, query } = call;
  const row = await loadRevision(call, params.id);
  if (row.parentId !== params.parent)
    throw call.refuse(
      'rest_revision_parent_id_mismatch',
      `The revision does not belong to what has the id ${params.parent}.`,
    );
  return answerState(
    call,
    row,
    await presentRevision(row, { call, kind, context: query.context, site: await loadSite(call) }),
  );
}
