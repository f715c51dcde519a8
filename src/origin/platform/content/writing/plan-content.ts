import { and, eq, like } from 'drizzle-orm';
import type { z } from 'zod';
import type { createPost, pageBody, postBody, updatePost } from '#contracts/core/index.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import type { Refuse, AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentKinds, ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Follower } from '#origin/platform/registry/follow-changes.ts';
import { relocate, toSiteTime, toUtc, type Site, readWireMoment } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadAncestors, type Ancestor } from '../load-ancestors.ts';
import { findFreeSlug, cutSlug, MAX_SLUG_BYTES, normaliseSlug } from '../slugs.ts';
import { hasUser, mergeMeta, noAuthor } from './check-writing.ts';

const TRASHED = '__trashed';

/** Statuses whose rows may go without a slug. */
const SLUGLESS = new Set(['draft', 'pending', 'auto-draft']);

/** Statuses in which a date may float. */
const FLOATING = new Set(['draft', 'pending', 'auto-draft']);

/** What is due sooner than this is published at once. */
const SOON_MS = 60_000;

export interface WritingScope {
  kind: ContentKind;
  /** All kinds of the site. */
  kinds: ContentKinds;
  followers: readonly Follower[];
  caller: Caller;
  site: Site;
  /** Address of the site in what is sent. */
  publicUrl: string;
  now: Date;
  refuse: Refuse<RouteErrors<typeof createPost>>;
}

export type PlannedContent = Omit<typeof content.$inferInsert, 'id' | 'guid'> &
  Pick<ContentRow, 'status' | 'slug' | 'parentId'> & { type: ContentKind['type'] };

export interface ContentPlan {
  row: PlannedContent;
  /** A key of `meta` whose value is no text. */
  wrongMeta: string | undefined;
}

/** Statuses that are for who may publish. */
const PUBLISHED = new Set(['publish', 'future', 'private']);

/**
 * Works out what a row will be: what is sent, over what it was, over what new rows begin with. Nothing is written.
 *
 * @param sent with its texts as `filterWritten` leaves them
 * @throws for what the caller may not do or what does not fit together
 */
export async function planContent(
  tx: Transaction,
  sent: WrittenContent,
  before: ContentRow | undefined,
  scope: WritingScope,
): Promise<ContentPlan> {
  const plan = planRow(sent, before, scope, await findReferences(tx, sent, before, scope));
  const { slug, parentId } = plan.row;
  if (slug === '') return plan;
  const owner = { id: before?.id, type: scope.kind.type, parentId, slug: before?.slug };
  return { ...plan, row: { ...plan.row, slug: await findFreeSlug(tx, slug, owner) } };
}

/**
 * The same before others that have its slug are looked at.
 *
 * @param references what is stored of what `sent` names
 */
export function planRow(
  sent: WrittenContent,
  before: ContentRow | undefined,
  scope: WritingScope,
  references: References,
): ContentPlan {
  const { kind, caller, site, now } = scope;
  refuseStatus(sent.status, before, scope);
  const authorId = chooseAuthor(sent.author, before, scope, references);
  const texts = chooseTexts(sent, before, scope);
  const status = sent.status ?? before?.status ?? 'draft';
  const dates = planDates(sent, { before, status, now, timeZone: site.timezone });
  const password = dates.status === 'private' ? '' : (sent.password ?? before?.password ?? '');
  const sticky = kind.canStick && (sent.sticky ?? before?.sticky ?? false);
  if (sticky && (sent.password ?? before?.password ?? '') !== '')
    throw scope.refuse('rest_invalid_field', 'What is sticky can not have a password.');
  const parentId = chooseParent(sent.parent, before, scope, references);
  const slug = planSlug({
    sent: sent.slug,
    before,
    status: dates.status,
    title: texts.title,
    mayPublish: can(caller, kind.rights.publish),
  });
  const { meta, wrongKey } = mergeMeta(kind.metaKeys, before?.meta ?? {}, sent.meta ?? {});
  const modified = before ? toSiteTime(now, site.timezone) : dates.date;
  return {
    wrongMeta: wrongKey,
    row: {
      type: kind.type,
      ...texts,
      ...dates,
      modified,
      modifiedGmt: before ? toSiteTime(now, 'UTC') : (dates.dateGmt ?? toUtc(dates.date, site.timezone)),
      slug,
      ...(dates.status === 'trash' ? {} : { statusBeforeTrash: '', slugBeforeTrash: '' }),
      password,
      sticky,
      authorId,
      parentId,
      menuOrder: sent.menu_order ?? before?.menuOrder ?? 0,
      featuredMedia: chooseImage(sent.featured_media, before, references),
      commentStatus: sent.comment_status ?? before?.commentStatus ?? kind.discussion,
      pingStatus: sent.ping_status ?? before?.pingStatus ?? kind.discussion,
      format: sent.format === 'standard' ? '' : (sent.format ?? before?.format ?? ''),
      template: sent.template ?? before?.template ?? '',
      meta,
    },
  };
}

/** Text that says nothing; a lone zero counts as nothing too. */
export function isBlank({ title, content: body, excerpt }: Pick<PlannedContent, 'title' | 'content' | 'excerpt'>) {
  return [title, body, excerpt].every((text) => text === undefined || text === '' || text === '0');
}

function refuseStatus(
  status: string | undefined,
  before: ContentRow | undefined,
  { kind, caller, refuse }: WritingScope,
): void {
  if (status === undefined || status === before?.status) return;
  if (PUBLISHED.has(status) && !can(caller, kind.rights.publish))
    throw refuse('rest_cannot_publish', 'You may not publish this.');
}

/** What is stored of what is sent names. */
export interface References {
  /** Whether there is an author of that id. */
  hasAuthor: boolean;
  /** The parent and what is above it, by id. */
  above: ReadonlyMap<number, Ancestor>;
  hasImage: boolean;
}

/** Of what names nothing that is stored. */
export const NO_REFERENCES: References = { hasAuthor: false, above: new Map(), hasImage: false };

/** What of what is sent has to be looked for. */
function namedBy(sent: WrittenContent, before: ContentRow | undefined, { caller }: Pick<WritingScope, 'caller'>) {
  const { author, parent, featured_media: image } = sent;
  return {
    author: author && author !== caller.user?.id ? author : undefined,
    parent: parent === 0 ? undefined : parent,
    image: image === 0 || image === before?.featuredMedia ? undefined : image,
  };
}

/** Whether what is sent for a new row says all of it. */
export function isSelfContained(sent: WrittenContent, scope: Pick<WritingScope, 'caller'>): boolean {
  return Object.values(namedBy(sent, undefined, scope)).every((id) => id === undefined);
}

export async function findReferences(
  tx: Transaction,
  sent: WrittenContent,
  before: ContentRow | undefined,
  scope: WritingScope,
): Promise<References> {
  const { author, parent, image } = namedBy(sent, before, scope);
  return {
    hasAuthor: author !== undefined && (await hasUser(tx, author)),
    above: parent === undefined ? NO_REFERENCES.above : await loadAncestors(tx, [{ parentId: parent }]),
    hasImage: image !== undefined && (await isImage(tx, image)),
  };
}

function chooseAuthor(
  sent: number | undefined,
  before: ContentRow | undefined,
  { caller, refuse }: WritingScope,
  { hasAuthor }: References,
): number {
  const self = caller.user?.id ?? 0;
  if (!sent) return before?.authorId ?? self;
  if (sent !== self && !hasAuthor) throw noAuthor({ refuse });
  return sent;
}

/** Addresses of the site are stored as the ones it had when it was set up, so that they move with it. */
function chooseTexts(sent: WrittenContent, before: ContentRow | undefined, scope: WritingScope) {
  const toSiteLinks = (text: string) => relocate(text, scope.publicUrl, scope.site.url ?? scope.publicUrl);
  const texts = {
    title: sent.title === undefined ? (before?.title ?? '') : sent.title.trim(),
    content: sent.content === undefined ? (before?.content ?? '') : toSiteLinks(sent.content),
    excerpt: sent.excerpt === undefined ? (before?.excerpt ?? '') : toSiteLinks(sent.excerpt),
  };
  if (isBlank(texts)) throw scope.refuse('empty_content', 'Title, content and excerpt are empty.');
  return texts;
}

/** Anything may be a parent but the row itself and what is below it: then it has none. */
function chooseParent(
  sent: number | undefined,
  before: ContentRow | undefined,
  { refuse }: WritingScope,
  { above }: References,
): number {
  if (sent === undefined) return before?.parentId ?? 0;
  if (sent === 0) return 0;
  if (!above.has(sent))
    throw refuse('rest_post_invalid_id', 'There is nothing under the id of the parent.', { status: 400 });
  return before && above.has(before.id) ? 0 : sent;
}

/** Only an image can stand for a row; other ids change nothing. */
function chooseImage(sent: number | undefined, before: ContentRow | undefined, { hasImage }: References): number {
  return sent === 0 || (sent !== undefined && hasImage) ? sent : (before?.featuredMedia ?? 0);
}

async function isImage(tx: Transaction, id: number): Promise<boolean> {
  const isIt = and(eq(content.id, id), eq(content.type, 'attachment'), like(content.mimeType, 'image/%'));
  return (await tx.select({ id: content.id }).from(content).where(isIt).limit(1)).length > 0;
}

interface StoredDates {
  /** Site time. */
  date: string;
  /** UTC; null while the date floats, that is moves with every save until it is set or the row is published. */
  dateGmt: string | null;
}

export interface SentDates {
  date?: string | null | undefined;
  date_gmt?: string | null | undefined;
}

interface DatePlan extends StoredDates {
  status: string;
}

/**
 * Decides the date of a row and whether it is published now or later. `date` counts more than `date_gmt`; null for
 * either takes the date back. A date that is the present one again changes nothing.
 */
export function planDates(
  sent: SentDates,
  about: { before: (StoredDates & { status: string }) | undefined; status: string; now: Date; timeZone: string },
): DatePlan {
  const dates = chooseDates(sent, about);
  return { ...dates, status: statusAt(dates, about) };
}

type About = Parameters<typeof planDates>[1];

function chooseDates(sent: SentDates, { before, status, now, timeZone }: About): StoredDates {
  const present = fromMoment(now, timeZone);
  const unset: StoredDates = FLOATING.has(status) ? { ...present, dateGmt: null } : present;
  if (sent.date === null || sent.date_gmt === null) return unset;
  const set = readSent(sent, timeZone);
  if (set && (!before || !isSame(sent, set, before, timeZone))) return set;
  if (!before) return unset;
  if (before.dateGmt === null && FLOATING.has(before.status) && status !== 'trash') return unset;
  const stays = before.dateGmt === null && (FLOATING.has(status) || status === 'trash');
  return { date: before.date, dateGmt: stays ? null : (before.dateGmt ?? toUtc(before.date, timeZone)) };
}

function readSent({ date, date_gmt: gmt }: SentDates, timeZone: string): StoredDates | undefined {
  if (date) return fromMoment(readWireMoment(date, timeZone), timeZone);
  return gmt ? fromMoment(readWireMoment(gmt, 'UTC'), timeZone) : undefined;
}

function isSame({ date }: SentDates, set: StoredDates, before: StoredDates, timeZone: string): boolean {
  return date ? set.date === before.date : set.dateGmt === (before.dateGmt ?? toUtc(before.date, timeZone));
}

function fromMoment(moment: Date, timeZone: string): StoredDates {
  return { date: toSiteTime(moment, timeZone), dateGmt: toSiteTime(moment, 'UTC') };
}

function statusAt({ dateGmt }: StoredDates, { status, now }: About): string {
  if (status !== 'publish' && status !== 'future') return status;
  const isLater = dateGmt !== null && Date.parse(`${dateGmt}Z`) - Math.floor(now.getTime() / 1000) * 1000 >= SOON_MS;
  return isLater ? 'future' : 'publish';
}

interface SlugPlan {
  /** As it was sent. */
  sent: string | undefined;
  before: { status: string; slug: string; slugBeforeTrash: string } | undefined;
  status: string;
  title: string;
  mayPublish: boolean;
}

/**
 * The slug a row should have, before others that have it are looked at: the one that was sent, the one it has, the
 * one it had before the trash, or one made from its title. Empty where it needs none, and where nothing can be made.
 */
export function planSlug({ sent, before, status, title, mayPublish }: SlugPlan): string {
  if (status === 'trash') return trashedSlug(normaliseSlug(sent ?? before?.slugBeforeTrash ?? ''));
  // What waits for review gets its name from who publishes it.
  if (status === 'pending' && !mayPublish) return '';
  const present = before?.status === 'trash' ? before.slugBeforeTrash : (before?.slug ?? '');
  const wanted = sent === undefined ? present : normaliseSlug(sent);
  return wanted === '' && !SLUGLESS.has(status) ? normaliseSlug(title) : wanted;
}

/** The slug of a row in the trash, which leaves its own to others. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : cutSlug(slug, MAX_SLUG_BYTES - TRASHED.length) + TRASHED;
}

/** What may be sent to write content; each kind knows its own part of it, and may have fields of its own. */
export type WrittenContent = Partial<z.output<typeof postBody> & z.output<typeof pageBody>> & Record<string, unknown>;

/** A call that writes something new, and one that changes what is there. */
export type WritingCall = AnyCall<RouteErrors<typeof createPost>> & { body: WrittenContent };

export type WritingItemCall = AnyCall<RouteErrors<typeof updatePost>> & {
  body: WrittenContent;
  params: { id: number };
};
