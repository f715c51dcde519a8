import {
  detectPublishing,
  displayUrl,
  publishingClient,
  type PublishingClient,
  type PublishingSite,
} from '#client/index.ts';
import type { PublishingUpstream } from '#config/index.ts';
import { isSortimentError, toWirePath, trimEndOf } from '#contracts/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import { countKnown, digestRecord, NORMALISER_VERSION, type ReadSource } from '#snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { fetchChangedRows } from './fetch-changed-rows.ts';
import { plainText } from './plain-text.ts';
import { readCursor, writeCursor } from './publishing-cursor.ts';
import { readRows } from './read-rows.ts';
import { stageRows } from './stage-rows.ts';

export interface PublishingRead {
  client: PublishingClient;
  source: ReadSource;
}

/**
 * Reads the publishing site: what changed since the last run, and which rows there are. Once in a while, and whenever
 * there is nothing to go on from, all lists are read to their end. Rows that aren't public or are guarded by a
 * password are never stored.
 * @throws SortimentError UPSTREAM_… when the site isn't found or a list can't be read.
 */
export async function fetchPublishing(run: SyncRun, upstream: PublishingUpstream): Promise<PublishingRead> {
  const site = await detectPublishing(upstream, run.transport);
  const client = publishingClient(site, run.transport);
  const base = displayUrl(site.root);
  const cursor = run.snapshot.isOutgrown(NORMALISER_VERSION)
    ? undefined
    : readCursor(run.snapshot.sources().find((source) => source.name === 'publishing' && source.base === base));
  const now = { server: site.serverTime, here: run.startedAt };
  const isDue = !cursor || cursor.fullReadIsDue(now, run.settings.options.sync.fullReadHours);
  run.logger.debug(`Reading the publishing site at ${base}, ${isDue ? 'whole' : 'what changed'}.`);
  stageSite(run, { name: site.name, description: site.description, url: site.home || site.siteUrl });
  const rowsRead = { count: 0 };
  for (const kind of run.kinds.content) {
    const keepStored = (problem: string, advice: string): void =>
      run.issues.warning({ kind: kind.kind, id: displayUrl(upstream.siteUrl), field: '', problem, advice });
    if (!isOffered(site, kind)) {
      if (countKnown(run.snapshot.database).some((known) => known.kind === kind.kind))
        keepStored(NOT_OFFERED, SWITCH_ON);
      continue;
    }
    try {
      if (isDue || kind.changes === 'by digest') {
        for await (const page of readRows(client, kind, rowsRead)) stageRows(run, kind, page, rowsRead);
      } else {
        await fetchChangedRows(run, client, kind, cursor.changedAfter, rowsRead);
      }
      run.staging.completeKind(kind.kind);
    } catch (error) {
      if (!kind.optional || !isKeptPrivate(error)) throw error;
      keepStored(
        'can not be listed: the site keeps them to itself',
        'Nothing needs to be done if the pages may go without them; else let the site list them to everybody.',
      );
    }
  }
  return { client, source: { name: 'publishing', base, cursor: writeCursor(now, isDue, cursor) } };
}

/** Whether a site has what offers a kind: the core, or an extension that its index lists. */
function isOffered({ listed, namespaces }: PublishingSite, { list }: SyncedKind): boolean {
  const [name, version] = toWirePath(list.path, namespaces).split('/');
  return list.path.startsWith('core/') || listed.includes(`${name}/${version}`);
}

/** An extension that is off is no content that is gone. */
const NOT_OFFERED = 'are no longer offered by the site; what is stored of them stays';
const SWITCH_ON = 'Switch the extension on again that offers them, or delete them there first if they are to go.';

function stageSite({ staging }: SyncRun, site: { name: string; description: string; url: string }): void {
  const record = {
    name: plainText(site.name),
    description: plainText(site.description),
    url: trimEndOf(site.url, '/'),
  };
  staging.stageRecord({ kind: 'site', id: 'site', position: 0, content: { record, digest: digestRecord(record) } });
  staging.completeKind('site');
}

function isKeptPrivate(error: unknown): boolean {
  return (
    isSortimentError(error) &&
    ['UPSTREAM_UNAUTHORISED', 'UPSTREAM_REFUSED', 'UPSTREAM_WRONG_ADDRESS'].includes(error.code)
  );
}
