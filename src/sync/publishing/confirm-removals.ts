import type { PublishingClient } from '#client/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import type { Removal } from '#snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { readByIds } from './read-rows.ts';
import { projectRow, reportUnread } from './stage-rows.ts';

/**
 * Requests exactly the records that the publishing site's lists no longer contain. A list that shifts while it is read
 * can skip a row, so a row is removed only if the site also leaves it out when requested by ID. Rows answered with
 * something else stay and are reported.
 * @throws SortimentError UPSTREAM_… when too many answers are inconclusive.
 */
export async function confirmRemovals(
  run: SyncRun,
  client: PublishingClient,
  removals: readonly Removal[],
): Promise<void> {
  for (const kind of run.kinds.content) {
    // These go with the records that they are about.
    if (kind.changes === 'by subject') continue;
    const missing = removals.filter((removal) => removal.kind === kind.kind && removal.reason === 'missing');
    for (const id of await findShown(run, client, { kind, ids: missing.map(({ id }) => Number(id)) })) {
      run.staging.stageRecord({ kind: kind.kind, id, position: Number(id) });
    }
  }
}

/** Which of these rows the site still shows, or may show, to everybody. */
async function findShown(
  run: SyncRun,
  client: PublishingClient,
  { kind, ids }: { kind: SyncedKind; ids: number[] },
): Promise<string[]> {
  const { rows, problems, unread } = await readByIds(client, kind, ids, { count: ids.length });
  reportUnread(run, kind, unread);
  const shown = rows.filter((row) => projectRow(run, kind, row)).map(({ id }) => String(id));
  // A row that can't be used, or read, is still there.
  return [...shown, ...problems.map(({ id }) => id), ...unread.map(({ id }) => id)];
}
