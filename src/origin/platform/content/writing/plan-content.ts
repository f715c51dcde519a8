import { and, eq, like } from 'drizzle-orm';
import type { createPost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { toSiteTime, toUtc, parseSiteDate } from '#contracts/site-clock.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { CreateRestError, RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentKind, ContentKinds, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, user } from '#origin/platform/store/schema.ts';
import type { ContentInput } from '../content-rights.ts';
import { loadAncestors } from '../content-url.ts';
import { findFreeSlug, cutSlug, MAX_SLUG_BYTES, normaliseSlug } from '../slugs.ts';

const TRASHED = '__trashed';

/** Statuses that don't require a slug, and allow a floating date. */
export const UNPUBLISHED: ReadonlySet<string> = new Set(['draft', 'pending', 'auto-draft']);

/** Rows that are due sooner are published immediately. */
const SOON_MS = 60_000;

export interface WritingScope {
  kind: ContentKind;
  /** All content kinds of the site. */
  kinds: ContentKinds;
  caller: Caller;
  site: Site;
  /** Address of the site in requests. */
  publicUrl: string;
  now: Date;
  refuse: CreateRestError<RouteErrors<typeof createPost>>;
}

/** Loads what planning depends on. */
export async function loadWritingScope<Codes extends string>(
  call: Pick<AnyCall<Codes>, 'context' | 'caller' | 'addresses' | 'requestMemo' | 'refuse'>,
  kind: ContentKind,
) {
  const { context, caller, addresses, refuse } = call;
  return { kind, kinds: context.kinds, caller, site: await loadSite(call), publicUrl: addresses.site, refuse };
}

export type PlannedContent = Omit<typeof content.$inferInsert, 'id' | 'guid'> &
  Pick<ContentRow, 'status' | 'slug' | 'parentId'> & { type: ContentKind['type'] };

/** Statuses that require the right to publish. */
const PUBLISHER_STATUSES = new Set(['publish', 'future', 'private']);

/**
 * Plans the values of a row: the input, over the present row, over the defaults. Writes nothing.
 *
 * @param sent input after `filterInput`
 * @returns the row, and a `meta` key with a value that is no text
 * @throws RestError if the caller lacks a right or values contradict each other
 */
export async function planContent(
  tx: Transaction,
  sent: ContentInput,
  before: ContentRow | undefined,
  scope: WritingScope,
): Promise<{ row: PlannedContent; wrongMeta: string | undefined }> {
  const { kind, caller, site, now } = scope;
  if (sent.status !== undefined && sent.status !== before?.status)
    if (PUBLISHER_STATUSES.has(sent.status) && !can(caller, kind.rights.publish))
      throw scope.refuse('rest_cannot_publish', 'You are not allowed to publish this item.');
  const authorId = await chooseAuthor(tx, sent.author, before, scope);
  const texts = chooseTexts(sent, before, scope);
  const status = sent.status ?? before?.status ?? 'draft';
  const dates = planDates(sent, { before, status, now, timeZone: site.timezone });
  const password = dates.status === 'private' ? '' : (sent.password ?? before?.password ?? '');
  const sticky = kind.canStick && (sent.sticky ?? before?.sticky ?? false);
  if (sticky && (sent.password ?? before?.password ?? '') !== '')
    throw scope.refuse('rest_invalid_field', 'A sticky item can not have a password.');
  const parentId = await chooseParent(tx, sent.parent, before, scope);
  const canPublish = can(caller, kind.rights.publish);
  const slug = planSlug(sent.slug, before, { status: dates.status, title: texts.title, canPublish });
  const owner = { id: before?.id, type: kind.type, parentId, slug: before?.slug };
  const { meta, wrongKey } = mergeMeta(kind.metaKeys, before?.meta ?? {}, { ...sent, ...sent.meta });
  return {
    wrongMeta: wrongKey,
    row: {
      type: kind.type,
      ...texts,
      ...dates,
      modified: before ? toSiteTime(now, site.timezone) : dates.date,
      modifiedGmt: before ? toSiteTime(now, 'UTC') : (dates.dateGmt ?? toUtc(dates.date, site.timezone)),
      slug: slug === '' ? '' : await findFreeSlug(tx, slug, owner),
      ...(dates.status === 'trash' ? {} : { statusBeforeTrash: '', slugBeforeTrash: '' }),
      password,
      sticky,
      authorId,
      parentId,
      menuOrder: sent.menu_order ?? before?.menuOrder ?? 0,
      featuredMedia: await chooseImage(tx, sent.featured_media, before),
      commentStatus: sent.comment_status ?? before?.commentStatus ?? kind.discussion,
      pingStatus: sent.ping_status ?? before?.pingStatus ?? kind.discussion,
      format: sent.format === 'standard' ? '' : (sent.format ?? before?.format ?? ''),
      template: sent.template ?? before?.template ?? '',
      meta,
    },
  };
}

/** @throws RestError if the author doesn't exist */
export async function chooseAuthor(
  tx: Transaction,
  sent: number | undefined,
  before: ContentRow | undefined,
  { caller, refuse }: { caller: Caller; refuse: CreateRestError<'rest_invalid_author'> },
): Promise<number> {
  const self = caller.user?.id ?? 0;
  if (!sent) return before?.authorId ?? self;
  if (sent === self || sent === before?.authorId || (await tx.$count(user, eq(user.id, sent))) > 0) return sent;
  throw refuse('rest_invalid_author', 'The author does not exist.');
}

/** Replaces the site's current address by its stored one, so that links remain valid after a move. */
function chooseTexts(sent: ContentInput, before: ContentRow | undefined, scope: WritingScope) {
  const { publicUrl } = scope;
  const url = scope.site.url ?? publicUrl;
  const texts = {
    title: sent.title === undefined ? (before?.title ?? '') : sent.title.trim(),
    content: sent.content === undefined ? (before?.content ?? '') : replaceSiteUrl(sent.content, publicUrl, url),
    excerpt: sent.excerpt === undefined ? (before?.excerpt ?? '') : replaceSiteUrl(sent.excerpt, publicUrl, url),
  };
  // A lone zero counts as empty.
  if (Object.values(texts).every((text) => text === '' || text === '0'))
    throw scope.refuse('empty_content', 'Title, content and excerpt are empty.');
  return texts;
}

/** The row itself and its descendants can't become its parent; they result in no parent. */
async function chooseParent(
  tx: Transaction,
  sent: number | undefined,
  before: ContentRow | undefined,
  { refuse }: WritingScope,
): Promise<number> {
  if (sent === undefined) return before?.parentId ?? 0;
  if (sent === 0) return 0;
  const above = await loadAncestors(tx, [{ parentId: sent }]);
  if (!above.has(sent)) throw refuse('rest_post_invalid_id', 'The parent does not exist.', { status: 400 });
  return before && above.has(before.id) ? 0 : sent;
}

/** Only images can be featured. Other IDs change nothing. */
async function chooseImage(tx: Transaction, sent: number | undefined, before: ContentRow | undefined): Promise<number> {
  const present = before?.featuredMedia ?? 0;
  if (sent === undefined || sent === 0) return sent ?? present;
  const isImage = and(eq(content.id, sent), eq(content.type, 'attachment'), like(content.mimeType, 'image/%'));
  return (await tx.$count(content, isImage)) > 0 ? sent : present;
}

interface StoredDates {
  /** Site time. */
  date: string;
  /** UTC. Null while the date floats: it moves with every save until it is set or the row is published. */
  dateGmt: string | null;
}

export interface DateInput {
  date?: string | null | undefined;
  date_gmt?: string | null | undefined;
}

/**
 * Plans the date of a row, and if it is published now or scheduled.
 *
 * `date` has priority over `date_gmt`; null for either resets the date. Sending the present date changes nothing.
 */
export function planDates(
  sent: DateInput,
  context: { before: (StoredDates & { status: string }) | undefined; status: string; now: Date; timeZone: string },
): StoredDates & { status: string } {
  const { status, now } = context;
  const dates = chooseDates(sent, context);
  const isAsked = status === 'publish' || status === 'future';
  if (!isAsked || dates.dateGmt === null) return { ...dates, status: isAsked ? 'publish' : status };
  const waitMs = Date.parse(`${dates.dateGmt}Z`) - Math.floor(now.getTime() / 1000) * 1000;
  return { ...dates, status: waitMs >= SOON_MS ? 'future' : 'publish' };
}

function chooseDates(
  { date, date_gmt: gmt }: DateInput,
  { before, status, now, timeZone }: Parameters<typeof planDates>[1],
): StoredDates {
  const toStored = (instant: Date) => ({ date: toSiteTime(instant, timeZone), dateGmt: toSiteTime(instant, 'UTC') });
  const present = toStored(now);
  const unset: StoredDates = UNPUBLISHED.has(status) ? { ...present, dateGmt: null } : present;
  if (date === null || gmt === null) return unset;
  if (date || gmt) {
    const set = toStored(date ? parseSiteDate(date, timeZone) : parseSiteDate(gmt ?? '', 'UTC'));
    if (!before) return set;
    const isSame = date ? set.date === before.date : set.dateGmt === (before.dateGmt ?? toUtc(before.date, timeZone));
    if (!isSame) return set;
  }
  if (!before) return unset;
  if (before.dateGmt === null && UNPUBLISHED.has(before.status) && status !== 'trash') return unset;
  const isFloating = before.dateGmt === null && (UNPUBLISHED.has(status) || status === 'trash');
  return { date: before.date, dateGmt: isFloating ? null : (before.dateGmt ?? toUtc(before.date, timeZone)) };
}

/**
 * Plans the slug before checking other rows: the requested one, the present one, the one before trashing, or one from
 * the title. Empty if the row needs none or the title has no usable words.
 */
export function planSlug(
  sent: string | undefined,
  before: ContentRow | undefined,
  { status, title, canPublish }: { status: string; title: string; canPublish: boolean },
): string {
  if (status === 'trash') return trashedSlug(normaliseSlug(sent ?? before?.slugBeforeTrash ?? ''));
  // A pending row gets its slug when it is published.
  if (status === 'pending' && !canPublish) return '';
  const present = before?.status === 'trash' ? before.slugBeforeTrash : (before?.slug ?? '');
  const requested = sent === undefined ? present : normaliseSlug(sent);
  return requested === '' && !UNPUBLISHED.has(status) ? normaliseSlug(title) : requested;
}

/** Returns the slug of a trashed row, which frees its original slug. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : cutSlug(slug, MAX_SLUG_BYTES - TRASHED.length) + TRASHED;
}

/** Meta key with HTML inside JSON, filtered by `filterInput`. The only one that revisions include. */
export const FOOTNOTES = 'footnotes';

interface Texts {
  title?: string | undefined;
  content?: string | undefined;
  excerpt?: string | undefined;
  meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Filters texts by the rights of the caller. Call it before a transaction, as long texts take time. */
export async function filterInput<T extends Texts>(input: T, caller: Caller): Promise<T> {
  if (can(caller, 'unfiltered_html')) return input;
  const { title, content, excerpt, meta } = input;
  const footnotes = meta?.[FOOTNOTES];
  return {
    ...input,
    ...(title === undefined ? {} : { title: await runTextJob('filterInline', title) }),
    ...(content === undefined ? {} : { content: await runTextJob('filter', content) }),
    ...(excerpt === undefined ? {} : { excerpt: await runTextJob('filter', excerpt) }),
    ...(typeof footnotes === 'string'
      ? { meta: { ...meta, [FOOTNOTES]: await runTextJob('footnotes', footnotes) } }
      : {}),
  };
}

/** Creates the error for a `meta` value that is no text. Clients expect it after everything else is written. */
export function wrongMetaError(key: string, { refuse }: AnyCall<'rest_invalid_type'>): RestError {
  const param = `meta.${key}`;
  return refuse('rest_invalid_type', `${param} is not of type string.`, { additionalData: [{ param }] });
}

type Meta = Readonly<Record<string, string>>;

/**
 * Merges meta values of known keys. Null deletes a value; missing keys are preserved. Stops at the first key with a value
 * that is no text.
 */
export function mergeMeta(
  keys: readonly string[],
  before: Meta,
  changes: Readonly<Record<string, unknown>>,
): { meta: Meta; wrongKey?: string } {
  const meta: Record<string, string> = { ...before };
  for (const key of keys) {
    const value = changes[key];
    if (value === undefined) continue;
    if (value === null) delete meta[key];
    else if (typeof value !== 'string') return { meta, wrongKey: key };
    else meta[key] = key === FOOTNOTES ? value : plainText(value);
  }
  return { meta };
}
