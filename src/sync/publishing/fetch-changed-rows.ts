import { z } from 'zod';
import type { PublishingClient } from '#client/index.ts';
import { toUtc, type SyncedKind } from '#contracts/synced/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { listWith, readByIds, readRows, type ReadRows } from './read-rows.ts';
import { stageRows } from './stage-rows.ts';

/** All that a sweep asks of a row. */
const stamp = z.object({ id: z.int(), modified_gmt: z.string() });

/**
 * Reads the rows of a kind that changed, then sweeps over the ids of all of them. The sweep tells what is gone, and
 * what the dates have missed: rows that are there or newer without having shown up as changed.
 * @param changedAfter By the server's clock.
 */
export async function fetchChangedRows(
  run: SyncRun,
  client: PublishingClient,
  kind: SyncedKind,
  changedAfter: Date,
  rowsRead: { count: number },
): Promise<void> {
  const read = new Set<string>();
  const stage = (page: ReadRows) => {
    for (const { id } of [...page.rows, ...page.problems, ...(page.unread ?? [])]) read.add(String(id));
    stageRows(run, kind, page, rowsRead);
  };
  const changed = { modified_after: changedAfter.toISOString() };
  for await (const page of readRows(client, kind, rowsRead, changed)) stage(page);

  const overlooked: number[] = [];
  const sweep = { ...kind.list, response: z.array(stamp) };
  for await (const { rows } of listWith(client, sweep, { _fields: 'id,modified_gmt' })) {
    for (const { id, modified_gmt } of rows as z.output<typeof stamp>[]) {
      if (read.has(String(id))) continue;
      const stored = run.snapshot.modifiedOf(kind.kind, String(id));
      if (stored === toUtc(modified_gmt)) run.staging.stageRecord({ kind: kind.kind, id: String(id), position: id });
      else overlooked.push(id);
    }
  }
  stage(await readByIds(client, kind, overlooked, rowsRead));
}
