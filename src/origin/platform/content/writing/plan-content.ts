import { and, eq, like } from 'drizzle-orm';
import type { z } from 'zod';
import type { createPost, updatePost } from '#contracts/core/routes.ts';
import type { pageBody, postBody } from '#contracts/core/post.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import type { CreateRestError, RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentKind, ContentKinds, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { toSiteTime, toUtc, parseSiteDate } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, user } from '#origin/platform/store/schema.ts';
import { loadAncestors } from '../content-url.ts';
import { findFreeSlug, cutSlug, MAX_SLUG_BYTES, normaliseSlug } from '../slugs.ts';
import { mergeMeta } from './check-writing.ts';
import { loadRow } from '../read-content.ts';
import { canDelete, canEdit } from '../content-rights.ts';

const TRASHED = '__trashed';

/** Statuses that don't require a slug, and allow a floating date. */
const UNPUBLISHED = new Set(['draft', 'pending', 'auto-draft']);

export function isSlugless(status: string): boolean {
  return UNPUBLISHED.has(status);
}

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
  call: Pick<AnyCall, 'context' | 'caller' | 'addresses' | 'requestMemo'>,
  kind: ContentKind,
  refuse: CreateRestError<Codes>,
) {
  const { context, caller, addresses } = call;
  return { kind, kinds: context.kinds, caller, site: await loadSite(call), publicUrl: addresses.site, refuse };
}

type PlannedContent = Omit<typeof content.$inferInsert, 'id' | 'guid'> &
  Pick<ContentRow, 'status' | 'slug' | 'parentId'> & { type: ContentKind['type'] };

interface ContentPlan {
  row: PlannedContent;
  /** A `meta` key with a value that is no text. */
  wrongMeta: string | undefined;
}

/** Statuses that require the right to publish. */
const PUBLISHER_STATUSES = new Set(['publish', 'future', 'private']);

/**
 * Plans the values of a row: the input, over the present row, over the defaults. Writes nothing.
 *
 * @param sent input after `filterInput`
 * @throws RestError if the caller lacks a right or values contradict each other
 */
export async function planContent(
  tx: Transaction,
  sent: ContentInput,
  before: ContentRow | undefined,
  scope: WritingScope,
): Promise<ContentPlan> {
  const { kind, caller, site, now } = scope;
  rejectStatus(sent.status, before, scope);
  const authorId = await chooseAuthor(tx, sent.author, before, scope);
  const texts = chooseTexts(sent, before, scope);
  const status = sent.status ?? before?.status ?? 'draft';
  const dates = planDates(sent, { before, status, now, timeZone: site.timezone });
  const password = dates.status === 'private' ? '' : (sent.password ?? before?.password ?? '');
  const sticky = kind.canStick && (sent.sticky ?? before?.sticky ?? false);
  if (sticky && (sent.password ?? before?.password ?? '') !== '')
    throw scope.refuse('rest_invalid_field', 'A sticky item can not have a password.');
  const parentId = await chooseParent(tx, sent.parent, before, scope);
  const slug = planSlug({
    sent: sent.slug,
    before,
    status: dates.status,
    title: texts.title,
    canPublish: can(caller, kind.rights.publish),
  });
  const owner = { id: before?.id, type: kind.type, parentId, slug: before?.slug };
  const { meta, wrongKey } = mergeMeta(kind.metaKeys, before?.meta ?? {}, sent.meta ?? {});
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

/** True if all texts are empty. A lone zero counts as empty. */
export function isBlank({ title, content: body, excerpt }: Pick<PlannedContent, 'title' | 'content' | 'excerpt'>) {
  return [title, body, excerpt].every((text) => text === undefined || text === '' || text === '0');
}

function rejectStatus(
  status: string | undefined,
  before: ContentRow | undefined,
  { kind, caller, refuse }: WritingScope,
): void {
  if (status === undefined || status === before?.status) return;
  if (PUBLISHER_STATUSES.has(status) && !can(caller, kind.rights.publish))
    throw refuse('rest_cannot_publish', 'You are not allowed to publish this item.');
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
  const toSiteLinks = (text: string) => replaceSiteUrl(text, scope.publicUrl, scope.site.url ?? scope.publicUrl);
  const texts = {
    title: sent.title === undefined ? (before?.title ?? '') : sent.title.trim(),
    content: sent.content === undefined ? (before?.content ?? '') : toSiteLinks(sent.content),
    excerpt: sent.excerpt === undefined ? (before?.excerpt ?? '') : toSiteLinks(sent.excerpt),
  };
  if (isBlank(texts)) throw scope.refuse('empty_content', 'Title, content and excerpt are empty.');
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

interface DatePlan extends StoredDates {
  status: string;
}

/**
 * Plans the date of a row, and if it is published now or scheduled.
 *
 * `date` has priority over `date_gmt`; null for either resets the date. Sending the present date changes nothing.
 */
export function planDates(
  sent: DateInput,
  context: { before: (StoredDates & { status: string }) | undefined; status: string; now: Date; timeZone: string },
): DatePlan {
  const dates = chooseDates(sent, context);
  return { ...dates, status: statusAt(dates, context) };
}

type DateContext = Parameters<typeof planDates>[1];

function chooseDates(sent: DateInput, { before, status, now, timeZone }: DateContext): StoredDates {
  const present = toStoredDates(now, timeZone);
  const unset: StoredDates = UNPUBLISHED.has(status) ? { ...present, dateGmt: null } : present;
  if (sent.date === null || sent.date_gmt === null) return unset;
  const set = parseDates(sent, timeZone);
  if (set && (!before || !isSame(sent, set, before, timeZone))) return set;
  if (!before) return unset;
  if (before.dateGmt === null && UNPUBLISHED.has(before.status) && status !== 'trash') return unset;
  const isFloating = before.dateGmt === null && (UNPUBLISHED.has(status) || status === 'trash');
  return { date: before.date, dateGmt: isFloating ? null : (before.dateGmt ?? toUtc(before.date, timeZone)) };
}

function parseDates({ date, date_gmt: gmt }: DateInput, timeZone: string): StoredDates | undefined {
  if (date) return toStoredDates(parseSiteDate(date, timeZone), timeZone);
  return gmt ? toStoredDates(parseSiteDate(gmt, 'UTC'), timeZone) : undefined;
}

function isSame({ date }: DateInput, set: StoredDates, before: StoredDates, timeZone: string): boolean {
  return date ? set.date === before.date : set.dateGmt === (before.dateGmt ?? toUtc(before.date, timeZone));
}

function toStoredDates(instant: Date, timeZone: string): StoredDates {
  return { date: toSiteTime(instant, timeZone), dateGmt: toSiteTime(instant, 'UTC') };
}

function statusAt({ dateGmt }: StoredDates, { status, now }: DateContext): string {
  if (status !== 'publish' && status !== 'future') return status;
  const isLater = dateGmt !== null && Date.parse(`${dateGmt}Z`) - Math.floor(now.getTime() / 1000) * 1000 >= SOON_MS;
  return isLater ? 'future' : 'publish';
}

interface SlugPlan {
  /** Raw value of the request. */
  sent: string | undefined;
  before: { status: string; slug: string; slugBeforeTrash: string } | undefined;
  status: string;
  title: string;
  canPublish: boolean;
}

/**
 * Plans the slug before checking other rows: the requested one, the present one, the one before trashing, or one from
 * the title. Empty if the row needs none or the title has no usable words.
 */
export function planSlug({ sent, before, status, title, canPublish }: SlugPlan): string {
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

/** Input for writing content. Each kind supports a part of it and may add fields. */
export type ContentInput = Partial<z.output<typeof postBody> & z.output<typeof pageBody>> & Record<string, unknown>;

/** Calls that create and update content. */
export type WritingCall = AnyCall<RouteErrors<typeof createPost>> & { body: ContentInput };

export type WritingItemCall = AnyCall<RouteErrors<typeof updatePost>> & {
  body: ContentInput;
  params: { id: number };
};

/**
 * Authorizes creation. Requires the right to edit this kind, and for another author the right to edit others' rows.
 */
export function authorizeCreation(kind: ContentKind): (call: WritingCall) => void {
  return (call) => {
    const { caller, others: undeclared } = call;
    const id = undeclared['id'];
    if (id !== undefined && id !== '' && Number(id) !== 0)
      throw call.refuse('rest_post_exists', 'A new item can not have an ID.');
    rejectForeignFields(call, kind);
    if (!can(caller, kind.rights.edit))
      throw call.refuse('rest_cannot_create', 'You are not allowed to create this item.');
    rejectTerms(call, kind);
  };
}

/** Checks the ID, then the right to edit the row, then the rights for the changed fields. */
export function authorizeUpdate(kind: ContentKind): (call: WritingItemCall) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!canEdit(row, call.caller)) throw createCannotEditError(call);
    rejectForeignFields(call, kind);
    rejectTerms(call, kind);
  };
}

export function authorizeDeletion(
  kind: ContentKind,
): (call: AnyCall<'rest_post_invalid_id' | 'rest_cannot_delete'> & { params: { id: number } }) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!canDelete(row, call.caller)) throw createCannotDeleteError(call);
  };
}

export function createCannotEditError({ refuse }: Pick<AnyCall<'rest_cannot_edit'>, 'refuse'>): RestError {
  return refuse('rest_cannot_edit', 'You are not allowed to edit this item.');
}

export function createCannotDeleteError({ refuse }: AnyCall<'rest_cannot_delete'>): RestError {
  return refuse('rest_cannot_delete', 'You are not allowed to delete this item.');
}

export function rejectForeignAuthor(
  { caller, body, refuse }: AnyCall<'rest_cannot_edit_others'> & { body: { author?: number | undefined } },
  { rights }: ContentKind,
): void {
  if (body.author && body.author !== caller.user?.id && !can(caller, rights.editOthers))
    throw refuse('rest_cannot_edit_others', 'You are not allowed to write as another user.');
}

function rejectForeignFields(call: WritingCall, kind: ContentKind): void {
  const { caller, body, refuse } = call;
  const { rights } = kind;
  rejectForeignAuthor(call, kind);
  if (body.sticky === true && !can(caller, rights.editOthers) && !can(caller, rights.publish))
    throw refuse('rest_cannot_assign_sticky', 'You are not allowed to make this item sticky.');
}

function rejectTerms({ caller, body, refuse }: WritingCall, { terms }: ContentKind): void {
  if (terms.some(({ parameter }) => body[parameter] !== undefined) && !can(caller, 'edit_posts'))
    throw refuse('rest_cannot_assign_term', 'You are not allowed to assign terms.');
}
