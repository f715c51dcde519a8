import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  detectPublishing,
  findNamespace,
  unusedNamespaces,
  type PublishingSite,
  describeAmbiguous,
} from '#client/detect-publishing.ts';
import { displayUrl } from '#client/upstream-result.ts';
import { publishingClient } from '#client/publishing-client.ts';
import type { PublishingUpstream } from '#config/index.ts';
import { isSortimentError, trimTrailing } from '#contracts/index.ts';
import { listKindRoutes, type SyncedKind, type SyncedRecord, toUtc } from '#contracts/synced/index.ts';
import { countPresentRecords, digestRecord, type ReadSource, type StoredSource } from '#snapshot/index.ts';
import type { SiteRun, SyncRun } from '../sync-options.ts';
import { fetchHeads } from './fetch-heads.ts';
import { readRows, listRows, readByIds, readUnpagedList, MissingRouteError, type ReadRows } from './read-rows.ts';
import { plainText } from './sanitise-html.ts';
import { stageRows, textTools } from './stage-rows.ts';

const cursorSchema = z.object({
  readAt: z.iso.datetime(),
  /** Last full read, by the server's clock and by the local one. Either may be stopped or reset. */
  fullReadAt: z.iso.datetime(),
  fullReadHere: z.iso.datetime().optional(),
  /** Last full read of rows whose changes are detected by their pages, by the local clock. */
  itemsReadHere: z.iso.datetime().optional(),
  /** Last full read of heads that are requested one by one, by the local clock. */
  headsReadHere: z.iso.datetime().optional(),
});

type Cursor = z.output<typeof cursorSchema>;

/** Rows contain the start of writing, to the second, and the clocks of servers behind one name differ. */
const OVERLAP_MS = 10 * 60_000;

const HOUR_MS = 3_600_000;

/** Fields requested by a sweep. */
const stamp = z.object({ id: z.int(), modified_gmt: z.string().nullish() });
/** The local date replaces an unreadable UTC date. */
const STAMP_FIELDS = 'id,modified,modified_gmt';

/**
 * Reads the publishing site: changes since the last run, and the ids of all rows. Occasionally, and whenever there is
 * no change cursor, all lists are read in full. Private and password-protected rows are never stored.
 * @throws SortimentError UPSTREAM_… if the site isn't found or a list can't be read.
 */
export async function fetchPublishing(syncRun: SyncRun, upstream: PublishingUpstream) {
  const site = await detectPublishing(upstream, syncRun.transport);
  const client = publishingClient(site, syncRun.transport, upstream.account);
  const run: SiteRun = { ...syncRun, site, client, rowsRead: { count: 0 } };
  const base = displayUrl(site.root);
  const cursor = run.snapshot.isOutgrown()
    ? undefined
    : readCursor(run.snapshot.sources().find((source) => source.name === 'publishing' && source.base === base));
  const { sync, podcast } = run.settings.options;
  const here = run.startedAt;
  // Only a full read finds changes without a date, such as those of a list of latest posts or a restored backup.
  const isDue =
    !cursor ||
    run.isFull('publishing') ||
    hasElapsed(site.serverTime, cursor.fullReadAt, sync.fullReadHours) ||
    (cursor.fullReadHere !== undefined && hasElapsed(here, cursor.fullReadHere, sync.fullReadHours));
  /** By the server's clock. */
  const changedAfter = isDue ? undefined : new Date(Date.parse(cursor.readAt) - OVERLAP_MS);
  run.logger.debug(`Reading the publishing site at ${base}, ${isDue ? 'whole' : 'what changed'}.`);
  for (const ambiguous of site.ambiguous)
    run.issues.warning({ kind: 'source', id: base, field: '', ...describeAmbiguous(ambiguous) });
  stageSite(run);
  const areItemsOverdue = isDue || hasElapsed(here, cursor.itemsReadHere ?? cursor.fullReadAt, podcast.recheckHours);
  const areHeadsDue = isDue || hasElapsed(here, cursor.headsReadHere ?? cursor.fullReadAt, sync.recheckHeadHours);
  const areItemsDue = ({ dependsOn = [] }: SyncedKind) =>
    areItemsOverdue || dependsOn.some((name) => run.staging.hasChanged(name));
  for (const kind of run.kinds.content) {
    const warn = (problem: string, advice: string): void =>
      run.issues.warning({ kind: kind.kind, id: displayUrl(upstream.siteUrl), field: '', problem, advice });
    try {
      if (!isOffered(site, kind)) throw new MissingRouteError(false);
      if (kind.changes === 'by subject') {
        const areCurrent = await fetchHeads(run, changedAfter, areHeadsDue);
        if (!areCurrent) run.tally.headsAsOf = cursor?.headsReadHere ?? cursor?.fullReadAt;
      } else if (!changedAfter || kind.changes === 'by digest' || (kind.changes === 'by page' && areItemsDue(kind))) {
        for await (const page of readRows(run, kind)) stageRows(run, kind, page);
      } else if (kind.changes === 'by page') {
        await fetchChangedItems(run, kind, changedAfter);
      } else {
        await fetchChangedRows(run, kind, changedAfter);
      }
      run.staging.completeKind(kind.kind);
    } catch (error) {
      if (error instanceof MissingRouteError) {
        const isStored = countPresentRecords(run.snapshot.database).some((known) => known.kind === kind.kind);
        if (error.isSomethingElse) warn(UNKNOWN_FORMAT, ASK_OPERATOR);
        else if (isStored) warn(MISSING_ROUTE, ENABLE_EXTENSION);
        continue;
      }
      if (kind.changes === 'by subject' && isSortimentError(error) && error.code.startsWith('UPSTREAM_')) {
        // Pages can do without new heads. The stored ones stay, so hidden pages remain hidden.
        run.staging.dropKinds([kind.kind]);
        warn(`can't be read; stored records stay: ${error.message}`, error.hint ?? ASK_OPERATOR);
        continue;
      }
      if (!kind.optional || !isAccessError(error)) throw error;
      warn(
        "can't be listed: the site doesn't publish them",
        'Ignore this if the pages can do without them. Otherwise let the site list them publicly.',
      );
    }
  }
  const readAt = site.serverTime.toISOString();
  const readHere = here.toISOString();
  const next: Cursor = {
    readAt,
    fullReadAt: isDue ? readAt : cursor.fullReadAt,
    fullReadHere: isDue ? readHere : (cursor.fullReadHere ?? readHere),
    itemsReadHere: areItemsOverdue ? readHere : (cursor.itemsReadHere ?? readHere),
    headsReadHere: areHeadsDue ? readHere : (cursor.headsReadHere ?? readHere),
  };
  const source: ReadSource = { name: 'publishing', base, cursor: JSON.stringify(next) };
  return {
    siteRun: run,
    source,
    // The embedded origin serves only namespaces that are used.
    unused: upstream.connectTo === undefined ? unusedNamespaces(site, run.kinds.content.flatMap(listKindRoutes)) : [],
  };
}

/** True if a site offers all routes of a kind, in its core or by an extension in its index. */
function isOffered(site: PublishingSite, kind: SyncedKind): boolean {
  return listKindRoutes(kind).every(
    (route) => route.path.startsWith('core/') || findNamespace(site, route) !== undefined,
  );
}

/** Content of a disabled extension isn't necessarily gone. */
const MISSING_ROUTE = 'are no longer offered by the site; stored records stay';
const UNKNOWN_FORMAT = 'have an unknown format; stored records stay';
const ASK_OPERATOR = 'Ignore this if the pages can do without them. Otherwise ask the operator of the site.';
const ENABLE_EXTENSION = 'Enable the extension again. To remove the records, delete them there first.';

function stageSite({ staging, site }: SiteRun): void {
  const { name, description, home, url, siteUrl } = site;
  const addresses = [home, url, displayUrl(siteUrl)].filter((address) => URL.canParse(address));
  const record = {
    name: plainText(name),
    description: plainText(description),
    url: trimTrailing(home || siteUrl, '/'),
    addresses: [...new Set(addresses.map((address) => trimTrailing(address, '/')))],
  };
  staging.stageRecord({ kind: 'site', id: 'site', position: 0, content: { record, digest: digestRecord(record) } });
  staging.completeKind('site');
}

function isAccessError(error: unknown): boolean {
  return (
    isSortimentError(error) &&
    ['UPSTREAM_UNAUTHORISED', 'UPSTREAM_REFUSED', 'UPSTREAM_WRONG_ADDRESS'].includes(error.code)
  );
}

/**
 * Reads the changed rows of a kind, then sweeps over the ids of all rows. The sweep finds removed rows, and new or
 * changed rows whose dates were missed.
 * @param changedAfter By the server's clock.
 */
async function fetchChangedRows(run: SiteRun, kind: SyncedKind, changedAfter: Date): Promise<void> {
  const read = new Set<string>();
  const stage = (page: ReadRows) => {
    for (const { id } of [...page.rows, ...page.problems, ...(page.unread ?? [])]) read.add(String(id));
    stageRows(run, kind, page);
  };
  const changed = { modified_after: changedAfter.toISOString() };
  for await (const page of readRows(run, kind, changed)) stage(page);

  const missed: number[] = [];
  const { sweptFields = {} } = kind;
  const sweep = { ...kind.list, response: z.array(stamp.loose()) };
  const _fields = [STAMP_FIELDS, ...Object.values(sweptFields)].join(',');
  for await (const { rows } of listRows(run, sweep, { ...kind.query, _fields })) {
    for (const row of rows as z.output<typeof stamp>[]) {
      const id = String(row.id);
      if (read.has(id)) continue;
      const stored = run.snapshot.fieldsOf(kind.kind, id, ['modified', 'warnings', ...Object.keys(sweptFields)]);
      if (stored && matchesSweep(stored, row, sweptFields)) {
        run.staging.stageRecord({ kind: kind.kind, id, position: row.id });
      } else missed.push(row.id);
    }
  }
  stage(await readByIds(run, kind, missed));
}

/** True if a swept row matches its record. Fields that a server omits count as equal. */
function matchesSweep(
  { modified, warnings, ...stored }: Record<string, unknown> & Pick<SyncedRecord, 'warnings'>,
  { modified_gmt, ...row }: Record<string, unknown> & z.output<typeof stamp>,
  sweptFields: Readonly<Record<string, string>>,
): boolean {
  return (
    // Invalid fields are read again until corrected, because a correction may not change the date.
    !warnings?.some(({ lastGoodAt }) => lastGoodAt !== undefined) &&
    Boolean(modified_gmt) &&
    modified === toUtc(modified_gmt ?? '') &&
    Object.entries(sweptFields).every(
      ([field, name]) => !(name in row) || isDeepStrictEqual(valueOrUnset(stored[field]), valueOrUnset(row[name])),
    )
  );
}

function valueOrUnset(value: unknown): unknown {
  const isUnset = !value || value === 'standard' || (Array.isArray(value) && value.length === 0);
  return isUnset ? undefined : value;
}

/**
 * Reads the list of a kind. Requests rows whose list entry differs from the record, or whose page has changed.
 * @param changedAfter By the server's clock.
 */
async function fetchChangedItems(run: SiteRun, kind: SyncedKind, changedAfter: Date): Promise<void> {
  const stored = new Map([...run.snapshot.records(kind)].map((record) => [record.id, record]));
  const modified = await readPageDates(run, kind);
  const texts = textTools(run.site);
  const isUnchanged = (row: { id: number }): boolean => {
    const record = stored.get(row.id);
    if (!record || !kind.page || !kind.isListedAs?.(record, row, texts)) return false;
    // If dates are unavailable, only a full read detects other changes.
    if (!modified) return true;
    const date = modified.get(kind.page.idInRecord(record));
    return date !== undefined && date === record.modified && Date.parse(date) < changedAfter.getTime();
  };
  const changed: number[] = [];
  for (const row of await readUnpagedList(run, kind)) {
    if (isUnchanged(row)) run.staging.stageRecord({ kind: kind.kind, id: String(row.id), position: row.id });
    else changed.push(row.id);
  }
  stageRows(run, kind, await readByIds(run, kind, changed));
}

/** Returns the modification date of each page by id, ISO; undefined if the site doesn't publish these pages. */
async function readPageDates(run: SiteRun, { page }: SyncedKind): Promise<Map<number, string> | undefined> {
  if (!page) return undefined;
  const dates = new Map<number, string>();
  const sweep = { ...page.list, response: z.array(stamp) };
  try {
    for await (const { rows } of listRows(run, sweep, { ...page.query, _fields: STAMP_FIELDS }))
      for (const { id, modified_gmt } of rows as z.output<typeof stamp>[])
        if (modified_gmt) dates.set(id, toUtc(modified_gmt));
  } catch (error) {
    if (isSortimentError(error) && error.code === 'UPSTREAM_WRONG_ADDRESS') return undefined;
    throw error;
  }
  return dates;
}

function hasElapsed(now: Date, then: string, hours: number): boolean {
  return Math.abs(now.getTime() - Date.parse(then)) >= hours * HOUR_MS;
}

function readCursor(source: StoredSource | undefined): Cursor | undefined {
  try {
    return cursorSchema.parse(JSON.parse(source?.cursor ?? ''));
  } catch {
    return undefined;
  }
}
