import type { PublishingClient } from '#client/publishing-client.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import type { Removal } from '#snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { readByIds } from './read-rows.ts';
import { projectRow, reportUnreadRows } from './stage-rows.ts';

/**
 * Requests the records that the publishing site's lists no longer contain. A list that shifts during the read can skip
 * a row, so a row is removed only if its request by ID fails to return it. Rows with an unusable response stay and are
 * reported.
 * @throws SortimentError UPSTREAM_… if too many responses are inconclusive.
 */
export async function confirmRemovals(
  run: SyncRun,
  client: PublishingClient,
  removals: readonly Removal[],
): Promise<void> {
  for (const kind of run.kinds.content) {
    // These are removed together with their subject.
    if (kind.changes === 'by subject') continue;
    const missing = removals.filter((removal) => removal.kind === kind.kind && removal.reason === 'missing');
    for (const id of await findShown(run, client, { kind, ids: missing.map(({ id }) => Number(id)) })) {
      run.staging.stageRecord({ kind: kind.kind, id, position: Number(id) });
    }
  }
}

/** Finds the rows that the site still publishes, or may publish. */
async function findShown(
  run: SyncRun,
  client: PublishingClient,
  { kind, ids }: { kind: SyncedKind; ids: number[] },
): Promise<string[]> {
  const { rows, problems, unread } = await readByIds(client, kind, ids, { count: ids.length });
  reportUnreadRows(run, kind, unread);
  const publicIds = rows.filter((row) => projectRow(run, kind, row)).map(({ id }) => String(id));
  // A row that is unusable or unreadable still exists.
  return [...publicIds, ...problems.map(({ id }) => id), ...unread.map(({ id }) => id)];
}
