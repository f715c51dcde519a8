import { upstreamError, type PublishingClient } from '../../client/index.ts';
import { SortimentError } from '../../contracts/index.ts';
import { MAX_PER_PAGE } from '../../contracts/core/index.ts';
import type { Removal } from '../../snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { PUBLISHING_KINDS, type PublishingKind } from './publishing-kinds.ts';

/**
 * Asks for exactly the records of the publishing site that its lists no longer hold. A list that shifts while it is
 * read can skip a row; only what the site leaves out when it is asked for by its id is removed.
 * @throws SortimentError UPSTREAM_… when an answer says nothing either way.
 */
export async function confirmRemovals(
  run: SyncRun,
  client: PublishingClient,
  removals: readonly Removal[],
): Promise<void> {
  for (const kind of PUBLISHING_KINDS) {
    const missing = removals.filter((removal) => removal.kind === kind.kind && removal.reason === 'missing');
    for (let start = 0; start < missing.length; start += MAX_PER_PAGE) {
      const ids = missing.slice(start, start + MAX_PER_PAGE).map(({ id }) => Number(id));
      for (const id of await findShown(client, kind, ids)) {
        run.staging.stageRecord({ kind: kind.kind, id, position: Number(id) });
      }
    }
  }
}

/** Which of these rows the site still shows to everybody. */
async function findShown(client: PublishingClient, { list, project }: PublishingKind, ids: number[]) {
  const answer = await client.call(list, { query: { include: ids, per_page: MAX_PER_PAGE } } as object);
  if (answer.kind !== 'ok') throw upstreamError(answer);
  const { body, problems } = answer.value;
  const rows = body as { id: number }[];
  if (rows.some(({ id }) => !ids.includes(id))) throw unfiltered(answer.url);
  // A row that can't be used is still there.
  return [...rows.filter(project).map(({ id }) => String(id)), ...problems.map(({ id }) => id)];
}

/** Who answers something else has not said that what was asked for is gone. */
function unfiltered(url: string): SortimentError {
  return new SortimentError('UPSTREAM_UNREADABLE', `[GET] "${url}": holds rows that were not asked for.`, {
    hint: 'The site seems to leave `include` out of account: look for a cache or a plugin that does.',
  });
}
