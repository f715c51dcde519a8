import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  detectPublishing,
  describeAmbiguous,
  displayUrl,
  namespaceOf,
  publishingClient,
  unusedNamespaces,
  type PublishingClient,
  type PublishingSite,
} from '#client/index.ts';
import type { PublishingUpstream } from '#config/index.ts';
import { isSortimentError, trimEndOf } from '#contracts/index.ts';
import { routesOf, type SyncedKind, type SyncedRecord, toUtc } from '#contracts/synced/index.ts';
import { countKnown, digestRecord, NORMALISER_VERSION, type ReadSource, type StoredSource } from '#snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { fetchHeads } from './fetch-heads.ts';
import { readRows, listWith, readByIds, readWhole, RouteLackingError, type ReadRows } from './read-rows.ts';
import { plainText } from './sanitise-html.ts';
import { stageRows } from './stage-rows.ts';
import { textTools } from './text-tools.ts';

const stored = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      readAt: z.iso.datetime(),
      /** By the server's clock and by ours: either may be stopped or reset. */
      fullReadAt: z.iso.datetime(),
      fullReadHere: z.iso.datetime().optional(),
      /** When rows whose pages say whether they have changed were read nevertheless, by our clock. */
      itemsReadHere: z.iso.datetime().optional(),
      /** Likewise heads of a server that tells them one by one. */
      headsReadHere: z.iso.datetime().optional(),
    }),
  );

/** Rows carry the time at which writing began, to the second, and the clocks of servers behind one name differ. */
const OVERLAP_MS = 10 * 60_000;

const HOUR_MS = 3_600_000;

/** The fields that a sweep requests. */
const stamp = z.object({ id: z.int(), modified_gmt: z.string().nullish() });
/** With the local date, which replaces an unreadable UTC date. */
const STAMP_FIELDS = 'id,modified,modified_gmt';

export interface PublishingRead {
  client: PublishingClient;
  source: ReadSource;
  site: PublishingSite;
  /** Namespaces of the site that nothing is read from. */
  unused: string[];
}

/**
 * Reads the publishing site: what changed since the last run, and which rows there are. From time to time, and whenever
 * there is no change cursor, all lists are read completely. Private and password-protected rows are never stored.
 * @throws SortimentError UPSTREAM_… when the site isn't found or a list can't be read.
 */
export async function fetchPublishing(run: SyncRun, upstream: PublishingUpstream): Promise<PublishingRead> {
  const site = await detectPublishing(upstream, run.transport);
  run.publishingSite = site;
  const client = publishingClient(site, run.transport, upstream.account);
  const base = displayUrl(site.root);
  const cursor = run.snapshot.isOutgrown(NORMALISER_VERSION)
    ? undefined
    : readCursor(run.snapshot.sources().find((source) => source.name === 'publishing' && source.base === base));
  const now = { server: site.serverTime, here: run.startedAt };
  const isDue =
    !cursor || run.isFull('publishing') || cursor.fullReadIsDue(now, run.settings.options.sync.fullReadHours);
  run.logger.debug(`Reading the publishing site at ${base}, ${isDue ? 'whole' : 'what changed'}.`);
  for (const ambiguous of site.ambiguous)
    run.issues.warning({ kind: 'source', id: base, field: '', ...describeAmbiguous(ambiguous) });
  stageSite(run, site);
  const rowsRead = { count: 0 };
  const recheckHours = run.settings.options.podcast.recheckHours;
  const itemsAreDue = isDue || isLong(now.here, cursor.itemsReadHere ?? cursor.fullReadAt, recheckHours);
  const headsAreDue =
    isDue || isLong(now.here, cursor.headsReadHere ?? cursor.fullReadAt, run.settings.options.sync.recheckHeadHours);
  const areItemsDue = ({ dependsOn = [] }: SyncedKind) =>
    itemsAreDue || dependsOn.some((name) => run.staging.hasChanged(name));
  for (const kind of run.kinds.content) {
    const keepStored = (problem: string, advice: string): void =>
      run.issues.warning({ kind: kind.kind, id: displayUrl(upstream.siteUrl), field: '', problem, advice });
    const noteLacking = (): void => {
      const isKnown = countKnown(run.snapshot.database).some((known) => known.kind === kind.kind);
      if (isKnown) keepStored(NOT_OFFERED, SWITCH_ON);
    };
    if (!isOffered(site, kind)) {
      noteLacking();
      continue;
    }
    try {
      if (kind.changes === 'by subject') {
        const heads = { changedAfter: isDue ? undefined : cursor.changedAfter, areDue: headsAreDue };
        const areCurrent = await fetchHeads(run, { client, site }, heads, rowsRead);
        if (!areCurrent) run.tally.headsAsOf = cursor?.headsReadHere ?? cursor?.fullReadAt;
      } else if (isDue || kind.changes === 'by digest' || (kind.changes === 'by page' && areItemsDue(kind))) {
        for await (const page of readRows(client, kind, rowsRead)) stageRows(run, kind, page, rowsRead);
      } else if (kind.changes === 'by page') {
        await fetchChangedItems(run, client, kind, cursor.changedAfter, rowsRead);
      } else {
        await fetchChangedRows(run, client, kind, cursor.changedAfter, rowsRead);
      }
      run.staging.completeKind(kind.kind);
    } catch (error) {
      if (error instanceof RouteLackingError) {
        if (error.isSomethingElse) keepStored(SOMETHING_ELSE, ASK_OPERATOR);
        else noteLacking();
        continue;
      }
      if (kind.changes === 'by subject' && isSortimentError(error) && error.code.startsWith('UPSTREAM_')) {
        // Pages can do without; what editors have hidden stays so.
        run.staging.dropKinds([kind.kind]);
        keepStored(`can't be read; what is stored of them stays: ${error.message}`, error.hint ?? ASK_OPERATOR);
        continue;
      }
      if (!kind.optional || !isKeptPrivate(error)) throw error;
      keepStored(
        "can't be listed: the site doesn't show them to everybody",
        'Nothing to do if the pages can do without them; otherwise let the site list them publicly.',
      );
    }
  }
  return {
    client,
    site,
    // The embedded origin is our own: nobody expects more of it.
    unused: upstream.connectTo === undefined ? unusedNamespaces(site, run.kinds.content.flatMap(routesOf)) : [],
    source: { name: 'publishing', base, cursor: writeCursor(now, { isFull: isDue, itemsAreDue, headsAreDue }, cursor) },
  };
}

/** Whether a site offers a kind, with all routes that it is read by: by its core, or by an extension in its index. */
function isOffered(site: PublishingSite, kind: SyncedKind): boolean {
  return routesOf(kind).every((route) => route.path.startsWith('core/') || namespaceOf(site, route) !== undefined);
}

/** A disabled extension does not mean that its content is gone. */
const NOT_OFFERED = 'are no longer offered by the site; what is stored of them stays';
const SOMETHING_ELSE = 'are answered in another form than this program reads; what is stored of them stays';
const ASK_OPERATOR =
  'Nothing to do if the pages can do without them; otherwise ask the operator of the site what they are.';
const SWITCH_ON = 'Enable the extension again; or, to remove them, delete them there first.';

function stageSite({ staging }: SyncRun, { name, description, home, url, siteUrl }: PublishingSite): void {
  const addresses = [home, url, displayUrl(siteUrl)].filter((address) => URL.canParse(address));
  const record = {
    name: plainText(name),
    description: plainText(description),
    url: trimEndOf(home || siteUrl, '/'),
    addresses: [...new Set(addresses.map((address) => trimEndOf(address, '/')))],
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

/**
 * Reads the rows of a kind that changed, then sweeps over the ids of all of them. The sweep finds removed rows and
 * changes that the dates missed: rows that are new, newer or different without having been listed as changed.
 * @param changedAfter By the server's clock.
 */
async function fetchChangedRows(
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
  const { sweptFields = {} } = kind;
  const sweep = { ...kind.list, response: z.array(stamp.loose()) };
  const _fields = [STAMP_FIELDS, ...Object.values(sweptFields)].join(',');
  for await (const { rows } of listWith(client, sweep, { _fields })) {
    for (const row of rows as z.output<typeof stamp>[]) {
      const id = String(row.id);
      if (read.has(id)) continue;
      const stored = run.snapshot.fieldsOf(kind.kind, id, ['modified', 'warnings', ...Object.keys(sweptFields)]);
      if (stored && isAsSwept(stored, row, sweptFields)) {
        run.staging.stageRecord({ kind: kind.kind, id, position: row.id });
      } else overlooked.push(row.id);
    }
  }
  stage(await readByIds(client, kind, overlooked, rowsRead));
}

/** True if a row is as its record has it, as far as the sweep tells. Fields that a server leaves out are the same. */
function isAsSwept(
  { modified, warnings, ...stored }: Record<string, unknown> & Pick<SyncedRecord, 'warnings'>,
  { modified_gmt, ...row }: Record<string, unknown> & z.output<typeof stamp>,
  sweptFields: Readonly<Record<string, string>>,
): boolean {
  return (
    // Invalid fields are read again until they are corrected: that may change no date.
    !warnings?.some(({ lastGoodAt }) => lastGoodAt !== undefined) &&
    Boolean(modified_gmt) &&
    modified === toUtc(modified_gmt ?? '') &&
    Object.entries(sweptFields).every(
      ([field, name]) => !(name in row) || isDeepStrictEqual(valueOrUnset(stored[field]), valueOrUnset(row[name])),
    )
  );
}

/** Returns undefined for values that records use where a row has none. */
function valueOrUnset(value: unknown): unknown {
  const isUnset = !value || value === 'standard' || (Array.isArray(value) && value.length === 0);
  return isUnset ? undefined : value;
}

/**
 * Reads the list of a kind, and one by one the rows of which the list says something else than the stored records, or
 * whose page has changed since.
 * @param changedAfter As for `fetchChangedRows`.
 */
async function fetchChangedItems(
  run: SyncRun,
  client: PublishingClient,
  kind: SyncedKind,
  changedAfter: Date,
  rowsRead: { count: number },
): Promise<void> {
  const stored = new Map([...run.snapshot.records(kind)].map((record) => [record.id, record]));
  const modified = await readPageDates(client, kind);
  const texts = textTools(run.publishingSite);
  const isAsStored = (row: { id: number }): boolean => {
    const record = stored.get(row.id);
    if (!record || !kind.page || !kind.isListedAs?.(record, row, texts)) return false;
    // Without dates only a full read tells.
    if (!modified) return true;
    const date = modified.get(kind.page.idInRecord(record));
    return date !== undefined && date === record.modified && Date.parse(date) < changedAfter.getTime();
  };
  const changed: number[] = [];
  for (const row of await readWhole(client, kind)) {
    if (isAsStored(row)) run.staging.stageRecord({ kind: kind.kind, id: String(row.id), position: row.id });
    else changed.push(row.id);
  }
  stageRows(run, kind, await readByIds(client, kind, changed, rowsRead), rowsRead);
}

/** Id of each page of a kind's rows -> when it was last changed, ISO; undefined where the site doesn't show its pages. */
async function readPageDates(client: PublishingClient, { page }: SyncedKind): Promise<Map<number, string> | undefined> {
  if (!page) return undefined;
  const dates = new Map<number, string>();
  const sweep = { ...page.list, response: z.array(stamp) };
  try {
    for await (const { rows } of listWith(client, sweep, { _fields: STAMP_FIELDS }))
      for (const { id, modified_gmt } of rows as z.output<typeof stamp>[])
        if (modified_gmt) dates.set(id, toUtc(modified_gmt));
  } catch (error) {
    if (isSortimentError(error) && error.code === 'UPSTREAM_WRONG_ADDRESS') return undefined;
    throw error;
  }
  return dates;
}

/** One moment by the server's clock and by ours. */
interface Moment {
  server: Date;
  here: Date;
}

interface PublishingCursor {
  fullReadAt: string;
  fullReadHere: string | undefined;
  itemsReadHere: string | undefined;
  headsReadHere: string | undefined;
  /** The change cursor: changes before this moment of the server's clock were seen. */
  changedAfter: Date;
  /**
   * Changes without a date of their own (a list of the latest posts, a restored backup) are found by a full read only.
   */
  fullReadIsDue(now: Moment, everyHours: number): boolean;
}

function isLong(now: Date, then: string, hours: number): boolean {
  return Math.abs(now.getTime() - Date.parse(then)) >= hours * HOUR_MS;
}

/** The change cursor of the last run; undefined if there is none or it can't be read. */
function readCursor(source: StoredSource | undefined): PublishingCursor | undefined {
  const reading = stored.safeParse(source?.cursor);
  if (!reading.success) return undefined;
  const { readAt, fullReadAt, fullReadHere, itemsReadHere, headsReadHere } = reading.data;
  return {
    fullReadAt,
    fullReadHere,
    itemsReadHere,
    headsReadHere,
    changedAfter: new Date(Date.parse(readAt) - OVERLAP_MS),
    fullReadIsDue: ({ server, here }, hours) =>
      isLong(server, fullReadAt, hours) || (fullReadHere !== undefined && isLong(here, fullReadHere, hours)),
  };
}

/** @param now When the run began to read. */
function writeCursor(
  now: Moment,
  { isFull, itemsAreDue, headsAreDue }: { isFull: boolean; itemsAreDue: boolean; headsAreDue: boolean },
  before: PublishingCursor | undefined,
): string {
  const readAt = now.server.toISOString();
  const here = now.here.toISOString();
  const last = isFull || !before ? { fullReadAt: readAt, fullReadHere: here } : before;
  const itemsReadHere = itemsAreDue || !before ? here : (before.itemsReadHere ?? here);
  const headsReadHere = headsAreDue || !before ? here : (before.headsReadHere ?? here);
  return JSON.stringify({
    readAt,
    fullReadAt: last.fullReadAt,
    fullReadHere: last.fullReadHere ?? here,
    itemsReadHere,
    headsReadHere,
  });
}
