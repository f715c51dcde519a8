import type { ContentRoutes } from '#contracts/core/index.ts';
import { collection, type AnswerOf, type Call } from '#origin/platform/http/transport/index.ts';
import { refuseOrder } from '../answer-list.ts';
import { parseSearch } from '#origin/platform/search/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { findContent } from '../find-content.ts';
import { presentRevision, type ShownRevision } from './present-revision.ts';
import type { RevisionKind } from './revision-kind.ts';

type ListCall = Call<ContentRoutes['listRevisions']>;

/** All revisions of a row, or one page of them. */
export async function answerRevisions(
  call: ListCall,
  kind: RevisionKind,
): Promise<AnswerOf<ContentRoutes['listRevisions']>> {
  const { query, params, context } = call;
  refuseOrder(call, query);
  const { page, per_page: perPage } = query;
  const skipped = query.offset === undefined ? undefined : Math.abs(query.offset);
  const window =
    perPage === undefined
      ? { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
      : { limit: perPage, offset: skipped ?? (page - 1) * perPage };
  const filter = {
    type: 'revision',
    viewer: { caller: call.caller, as: 'reader' },
    statuses: ['inherit'],
    parents: [params.parent],
    ids: query.include,
    notIds: query.exclude,
    search: query.search === undefined ? undefined : parseSearch(query.search),
  } as const;
  const order = {
    by: query.orderby,
    direction: query.order,
    ties: query.orderby === 'date' ? query.order : 'asc',
  } as const;
  const { rows, total } = await findContent(context.store.db, filter, order, window);
  refuseBeyond(call, total, { page, perPage, skipped });
  const site = await loadSite(call);
  const shown: ShownRevision[] = [];
  for (const row of rows) shown.push(await presentRevision(row, { call, kind, context: query.context, site }));
  return collection(shown, total, { page, perPage: perPage ?? Math.max(total, 1) });
}

function refuseBeyond(
  { refuse }: ListCall,
  total: number,
  { page, perPage, skipped }: { page: number; perPage: number | undefined; skipped: number | undefined },
): void {
  if (total === 0) return;
  if (perPage !== undefined && skipped !== undefined && skipped >= total)
    throw refuse('rest_revision_invalid_offset_number', 'There are not that many revisions.');
  if (page > Math.ceil(total / (perPage ?? total)))
    throw refuse('rest_revision_invalid_page_number', 'There are not that many pages.');
}
