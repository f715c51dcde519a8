import { detectPublishing, displayUrl, publishingClient, type PublishingClient } from '../client/index.ts';
import type { PublishingUpstream } from '../config/index.ts';
import { isSortimentError } from '../contracts/index.ts';
import { digestRecord, type AssetReference } from '../snapshot/index.ts';
import { plainText } from './plain-text.ts';
import { PUBLISHING_KINDS, type PublishingKind } from './publishing-kinds.ts';
import type { SyncRun } from './sync-run.ts';

export interface PublishingRead {
  client: PublishingClient;
  source: { name: 'publishing'; base: string; cursor: undefined };
}

/**
 * Reads the publishing site's lists to their end, checks and sanitises the rows and stages them. Rows that aren't
 * public or are guarded by a password are never stored.
 * @throws SortimentError UPSTREAM_… when the site isn't found or a list can't be read.
 */
export async function fetchPublishing(run: SyncRun, upstream: PublishingUpstream): Promise<PublishingRead> {
  const site = await detectPublishing(upstream, run.transport);
  const client = publishingClient(site, run.transport);
  run.logger.debug(`Reading the publishing site at ${displayUrl(site.root)}.`);
  stageSite(run, { name: site.name, description: site.description, url: site.home || site.siteUrl });
  const rowsRead = { count: 0 };
  for (const kind of PUBLISHING_KINDS) {
    try {
      await fetchKind(run, client, kind, rowsRead);
      run.staging.completeKind(kind.kind);
    } catch (error) {
      if (!kind.optional || !isKeptPrivate(error)) throw error;
      const problem = 'can not be listed: the site keeps them to itself';
      run.issues.warning({ kind: kind.kind, id: displayUrl(upstream.siteUrl), field: '', problem });
    }
  }
  return { client, source: { name: 'publishing', base: displayUrl(site.root), cursor: undefined } };
}

function stageSite({ staging }: SyncRun, site: { name: string; description: string; url: string }): void {
  const record = {
    name: plainText(site.name),
    description: plainText(site.description),
    url: site.url.replace(/\/+$/, ''),
  };
  staging.stageRecord({ kind: 'site', id: 'site', position: 0, content: { record, digest: digestRecord(record) } });
  staging.completeKind('site');
}

async function fetchKind(
  run: SyncRun,
  client: PublishingClient,
  { kind, list, project }: PublishingKind,
  rowsRead: { count: number },
): Promise<void> {
  const originals = new Set(run.staging.stagedReferences('media/'));
  for await (const { rows, problems } of client.listAll(list)) {
    for (const row of rows) {
      const projected = project(row);
      if (!projected) continue;
      const { record } = projected;
      const references = projected.references.map((reference) => toOriginal(reference, originals));
      const content = { record, digest: digestRecord(record), references };
      run.staging.stageRecord({ kind, id: String(record.id), position: record.id, content });
    }
    for (const { id, problems: found, wire } of problems) {
      // What is stored of it stays.
      if (id) run.staging.stageRecord({ kind, id, position: Number(id) });
      for (const { field, problem } of found)
        run.issues.problem({ kind, id, field, problem, wire: memberOf(wire, field) });
    }
    rowsRead.count += rows.length + problems.length;
    run.progress({ stage: 'publishing', done: rowsRead.count, total: undefined });
  }
}

/** Publishing sites put sized copies (`photo-1024x768.jpg`) into texts; the original makes every size. */
function toOriginal(reference: AssetReference, originals: ReadonlySet<string>): AssetReference {
  const address = reference.address.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return originals.has(address) ? { ...reference, address } : reference;
}

function memberOf(wire: unknown, field: string): unknown {
  const [name = ''] = field.split(/[.[]/, 1);
  return typeof wire === 'object' && wire !== null ? (wire as Record<string, unknown>)[name] : wire;
}

function isKeptPrivate(error: unknown): boolean {
  return (
    isSortimentError(error) &&
    ['UPSTREAM_UNAUTHORISED', 'UPSTREAM_REFUSED', 'UPSTREAM_WRONG_ADDRESS'].includes(error.code)
  );
}
