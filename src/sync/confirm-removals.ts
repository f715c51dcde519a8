import { upstreamError, type PublishingClient } from '../client/index.ts';
import type { Removal } from '../snapshot/index.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { PUBLISHING_KINDS } from './publishing-kinds.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Asks for each record of the publishing site that its list no longer holds. A list that shifts while it is read can
 * skip a row; only what the site itself no longer shows to everybody is removed.
 * @throws SortimentError UPSTREAM_… when an answer says nothing either way.
 */
export async function confirmRemovals(
  run: SyncRun,
  client: PublishingClient,
  removals: readonly Removal[],
): Promise<void> {
  const { concurrency } = run.settings.options.sync;
  const missing = removals.filter(({ reason, kind }) => reason === 'missing' && itemKind(kind));
  for await (const kept of mapConcurrently(missing, concurrency, (removal) => isStillShown(client, removal))) {
    if (kept) run.staging.stageRecord({ kind: kept.kind, id: kept.id, position: Number(kept.id) });
  }
}

async function isStillShown(client: PublishingClient, { kind, id }: Removal) {
  const found = itemKind(kind);
  if (!found) return undefined;
  const answer = await client.call(found.item, { params: { id: Number(id) } });
  switch (answer.kind) {
    case 'ok':
      return found.project(answer.value.body) ? { kind: found.kind, id } : undefined;
    // A draft, a private or deleted row: its address says so, while the list was readable.
    case 'gone':
    case 'unauthorised':
    case 'refused':
      return undefined;
    default:
      throw upstreamError(answer);
  }
}

function itemKind(kind: Removal['kind']) {
  return PUBLISHING_KINDS.find((candidate) => candidate.kind === kind);
}
