import type { Context } from '#contracts/core/index.ts';
import { RestError, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { answerState } from './answer-state.ts';
import { loadRevision } from './load-revision.ts';
import { presentRevision } from './present-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

export type RevisionCall = Call & { params: { parent: number; id: number } };

/** One revision, of the row that the path names. */
export async function answerRevision(
  call: RevisionCall & { query: { context: Context } },
  kind: RevisionKind,
): Promise<Answer> {
  const { params, query } = call;
  const row = await loadRevision(call, params.id);
  if (row.parentId !== params.parent)
    throw new RestError(
      'rest_revision_parent_id_mismatch',
      404,
      `The revision does not belong to what has the id ${params.parent}.`,
    );
  return answerState(
    call,
    row,
    await presentRevision(row, { call, kind, context: query.context, site: await loadSite(call) }),
  );
}
