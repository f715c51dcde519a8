import { z } from 'zod';
import type { PublishingSite } from '#client/detect-publishing.ts';
import { recordFailureAdvice } from '#client/upstream-result.ts';
import type { RowProblem } from '#client/publishing-client.ts';
import {
  cleanTexts,
  memberOf,
  parseValue,
  trimTrailing,
  withoutUserInfos,
  type StoredWarning,
  findMediaFile,
  formatValue,
} from '#contracts/index.ts';
import { tokenizeHtml } from '#contracts/html/html-text.ts';
import { parseSiteDate } from '#contracts/site-clock.ts';
import { pathsBelow } from '#contracts/site-paths.ts';
import { wireDateTime } from '#contracts/wire.ts';
import type { FileReference, SyncedKind, SyncedRecord, TextConverters } from '#contracts/synced/index.ts';
import { digestRecord, type Removal } from '#snapshot/index.ts';
import type { SiteRun } from '../sync-options.ts';
import { type ReadRows, type UnreadRow, readByIds } from './read-rows.ts';
import { describeLostMedia, plainText, sanitiseHtml, type LostMedia } from './sanitise-html.ts';

/**
 * Creates the text functions for records of a site.
 * @param warn Receives content that is removed from a text.
 */
export function textTools(
  { timeZone }: Pick<PublishingSite, 'timeZone'>,
  warn: (warning: StoredWarning) => void = () => undefined,
): TextConverters {
  return {
    plain: plainText,
    html: (html, link, { idPrefix, field = 'content' } = {}) => {
      const base = URL.canParse(link) ? link : undefined;
      const onLost = (lost: LostMedia) => warn({ field, ...describeLostMedia(lost) });
      return sanitiseHtml(html, { base, onLost, ...(idPrefix && { idPrefix }) }).trim();
    },
    time: (text) => {
      const zoned = wireDateTime.safeParse(text).data;
      return (zoned ? parseSiteDate(zoned, timeZone) : new Date(text)).toISOString();
    },
  };
}

/**
 * Creates the stored record of a row; undefined if the row isn't public.
 * @param repaired Repairs made while the row was read.
 */
export function projectRow(
  { site }: { site: Pick<PublishingSite, 'timeZone'> },
  kind: SyncedKind,
  row: unknown,
  repaired: readonly StoredWarning[] = [],
): SyncedRecord | undefined {
  const warnings = [...repaired];
  const texts = textTools(site, (warning) => void warnings.push(warning));
  const record = kind.project(row, texts, (field, problem, value) => {
    const shown = formatValue(value);
    warnings.push({ field, problem, advice: CORRECT_PART, ...(shown !== undefined && { shown }) });
  });
  return record && withoutUserInfos(cleanTexts({ ...record, ...(warnings.length > 0 && { warnings }) }));
}

/** Stages a page of rows: public rows as records, unusable rows only as existing. */
export function stageRows(
  run: SiteRun,
  declared: SyncedKind,
  { rows, problems, warnings = [], unread = [] }: ReadRows,
): void {
  const { kind } = declared;
  let originals: ReadonlySet<string> | undefined;
  // Read on demand: most pages need none, and there can be very many.
  const isOriginal = (address: string) => (originals ??= new Set(run.staging.addressesOf('media/'))).has(address);
  const isAllowed = (address: string) => {
    const source = URL.parse(fetchAddress(run, address));
    return source !== null && run.isMediaHost(source);
  };
  let attachments: ReadonlyMap<string, string> | undefined;
  const fileOf = (address: string) => (attachments ??= findAttachments(run)).get(trimTrailing(address, '/'));
  const stage = (record: SyncedRecord): void => {
    const fileReferences =
      declared.references?.(record, (html) => findAssets(html, isAllowed, fileOf), isAllowed) ?? [];
    const references = fileReferences.map((reference) => {
      const original = toOriginal(reference, isOriginal);
      return { ...original, fetchFrom: fetchAddress(run, original.address) };
    });
    const content = { record, digest: digestRecord(record), references };
    run.staging.stageRecord({ kind, id: String(record.id), position: Number(record.id) || 0, content });
  };
  const repaired = new Map(warnings.map(({ id, warnings: found }) => [id, found]));
  for (const row of rows) {
    const record = projectRow(run, declared, row, repaired.get(String(row.id)));
    if (record) stage(record);
  }
  for (const row of problems) {
    const { id, problems: found, wire } = row;
    const usable = repairRow(run, declared, row);
    if (usable) {
      if (usable.record) stage(usable.record);
      continue;
    }
    // The stored record stays. Nothing is stored under an invalid ID.
    if (id && Number.isSafeInteger(Number(id))) run.staging.stageRecord({ kind, id, position: Number(id) });
    const hasLastGood = run.snapshot.hasRecord(kind, id);
    for (const { field, problem } of found) {
      run.issues.problem({ kind, id, field, problem, advice: CORRECT_ROW, wire: topValue(wire, field), hasLastGood });
    }
  }
  for (const { id } of unread) run.staging.stageRecord({ kind, id, position: Number(id) || 0 });
  reportUnreadRows(run, { kind }, unread);
  run.rowsRead.count += rows.length + problems.length;
  run.progress({ stage: 'publishing', done: run.rowsRead.count, total: undefined });
}

const CORRECT_PART = 'Correct it at the publishing site; the rest of the record is used without it.';

/**
 * Repairs a row whose invalid fields are all optional. They keep their last good value or are omitted, with a warning
 * each.
 * @returns Undefined if the row is unusable; without a record if it isn't public.
 */
function repairRow(
  run: SiteRun,
  declared: SyncedKind,
  { id, problems, wire }: RowProblem,
): { record: SyncedRecord | undefined } | undefined {
  const { kind, optionalFields = {}, list } = declared;
  const { invalidFields } = run.settings.options.sync;
  const names = new Map(problems.map((problem) => [topField(problem.field), problem]));
  if (invalidFields === 'strict' || !(list.response instanceof z.ZodArray)) return undefined;
  if (names.keys().some((name) => !Object.hasOwn(optionalFields, name))) return undefined;
  const patched = { ...(wire as object), ...Object.fromEntries([...names.keys()].map((name) => [name, null])) };
  const parsed = parseValue(list.response.element as z.ZodType, patched);
  if (!parsed.ok) return undefined;
  const stored = invalidFields === 'keep' ? run.snapshot.record(kind, id) : undefined;
  const members = new Map(Object.entries(stored ?? {}));
  const lastGoodValues: Record<string, unknown> = {};
  const warnings: StoredWarning[] = [];
  for (const [name, { field, problem }] of names) {
    const member = optionalFields[name] ?? '';
    const lastGood = members.get(member);
    const earlier = stored?.warnings?.find((warning) => warning.field === field)?.lastGoodAt;
    const lastGoodAt = lastGood === undefined ? '' : (earlier ?? stored?.modified ?? stored?.changedAt ?? '');
    const hasLastGoodValue = lastGoodAt !== '';
    if (hasLastGoodValue) lastGoodValues[member] = lastGood;
    warnings.push({
      field,
      problem: `${problem}, so ${hasLastGoodValue ? 'its last good value stays' : 'the field is left out'}`,
      advice: CORRECT_ROW,
      shown: `${formatValue(memberOf(wire, name))}${hasLastGoodValue ? `; ${formatValue(lastGood)} of ${lastGoodAt.slice(0, 10)} stays` : ''}`,
      lastGoodAt,
    });
  }
  const record = projectRow(run, declared, parsed.value, warnings);
  return { record: record && { ...record, ...lastGoodValues } };
}

const CORRECT_ROW = 'Have it corrected at the publishing site. A plugin may have changed the response.';

function reportUnreadRows(
  { issues, snapshot }: SiteRun,
  { kind }: Pick<SyncedKind, 'kind'>,
  unread: readonly UnreadRow[],
): void {
  for (const { id, answer } of unread) {
    const problem = `could not be read: ${answer.detail}`;
    const shown = answer.sample || undefined;
    const hasLastGood = snapshot.hasRecord(kind, id);
    issues.unreachable({ kind, id, field: '', problem, advice: recordFailureAdvice(answer), shown, hasLastGood });
  }
}

/** Replaces a resized copy (`photo-1024x768.jpg`) by its original, from which this site creates its sizes. */
function toOriginal(reference: FileReference, isOriginal: (address: string) => boolean): FileReference {
  const address = reference.address.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return address !== reference.address && isOriginal(address) ? { ...reference, address } : reference;
}

/**
 * Returns the address to fetch a file from. Files may be referenced by the site's public address, which may already
 * belong to another server. They are fetched from the address that the sync reads.
 */
function fetchAddress({ isMediaHost, site }: SiteRun, address: string): string {
  const url = URL.parse(address);
  if (!url || isMediaHost(url)) return address;
  const { siteUrl, url: files, home } = site;
  const [match] = pathsBelow(url, [files, home]).filter(({ isExact }) => isExact);
  return match ? `${siteUrl}${match.path}${url.search}` : address;
}

function findAttachments({ staging }: SiteRun): Map<string, string> {
  return new Map(staging.linksOf('media').flatMap(({ link, url }) => (url ? [[trimTrailing(link, '/'), url]] : [])));
}

function topField(field: string): string {
  return field.split(/[.[]/, 1)[0] ?? '';
}

/** Returns the member with an invalid field; a row that isn't an object itself. */
function topValue(wire: unknown, field: string): unknown {
  return typeof wire === 'object' && wire !== null ? memberOf(wire, topField(field)) : wire;
}

/**
 * Requests the records that the publishing site's lists no longer contain. A list that shifts during the read can skip
 * a row, so a row is removed only if its request by ID fails to return it. Rows with an unusable response stay and are
 * reported.
 * @throws SortimentError UPSTREAM_… if too many responses are inconclusive.
 */
export async function confirmRemovals(run: SiteRun, removals: readonly Removal[]): Promise<void> {
  for (const kind of run.kinds.content) {
    // These are removed together with their subject.
    if (kind.changes === 'by subject') continue;
    const missing = removals.filter((removal) => removal.kind === kind.kind && removal.reason === 'missing');
    for (const id of await findShown(run, kind, missing))
      run.staging.stageRecord({ kind: kind.kind, id, position: Number(id) });
  }
}

/** Finds the rows that the site still publishes, or may publish. */
async function findShown(run: SiteRun, kind: SyncedKind, removals: readonly Removal[]): Promise<string[]> {
  const ids = removals.map(({ id }) => Number(id));
  const { rows, problems, unread } = await readByIds({ ...run, rowsRead: { count: ids.length } }, kind, ids);
  reportUnreadRows(run, kind, unread);
  const publicIds = rows.filter((row) => projectRow(run, kind, row)).map(({ id }) => String(id));
  // A row that is unusable or unreadable still exists.
  return [...publicIds, ...problems.map(({ id }) => id), ...unread.map(({ id }) => id)];
}

/**
 * Finds the files that sanitised HTML shows, plays or links to, by absolute address, without duplicates. Includes all
 * images. Audio, video with tracks, and linked files count only on allowed hosts.
 * @param isOwn True for addresses of allowed hosts.
 * @param fileOf Returns the file of an attachment page of the publishing site.
 */
export function findAssets(
  html: string,
  isOwn: (address: string) => boolean,
  fileOf: (page: string) => string | undefined = () => undefined,
): FileReference[] {
  // Skip HTML without attributes.
  if (!html.includes('="')) return [];
  const assets = new Map<string, FileReference>();
  const add = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && URL.canParse(address)) assets.set(`${kind} ${address}`, { address, kind });
  };
  const addAllowed = (address: string | undefined, kind: FileReference['kind']): void => {
    if (address && isOwn(address)) add(address, kind);
  };
  for (const piece of tokenizeHtml(html)) {
    if (piece.kind !== 'open') continue;
    const { name, attributes } = piece;
    const src = attributes.get('src');
    if (name === 'img') add(src, 'image');
    else if (['audio', 'video', 'source', 'track'].includes(name)) {
      addAllowed(attributes.get('poster'), 'image');
      addAllowed(src, 'file');
    } else if (name === 'a') {
      const href = attributes.get('href') ?? '';
      const address = href === '' || findMediaFile(href) ? href : (fileOf(href) ?? '');
      const file = findMediaFile(address);
      if (file) addAllowed(address, file.kind);
    }
  }
  return [...assets.values()];
}
