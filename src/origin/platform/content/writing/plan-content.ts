import { and, eq, like } from 'drizzle-orm';
import type { createPost } from '#contracts/core/index.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import type { Refuse } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentKind, ContentKinds, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { relocate, toSiteTime, toUtc, type Site } from '#origin/platform/site/index.ts';
import { findFreeSlug } from '../find-free-slug.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { mergeMeta } from './merge-meta.ts';
import { planDates } from './plan-dates.ts';
import { planSlug } from './plan-slug.ts';
import { requireAuthor } from './require-author.ts';
import type { WrittenContent } from './written-content.ts';

export interface WritingScope {
  kind: ContentKind;
  /** All kinds of the site. */
  kinds: ContentKinds;
  caller: Caller;
  site: Site;
  /** Address of the site in what is sent. */
  publicUrl: string;
  now: Date;
  refuse: Refuse<RouteErrors<typeof createPost>>;
}

export type PlannedContent = Omit<typeof content.$inferInsert, 'id' | 'guid'>;

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
  const { kind, caller, site, now } = scope;
  refuseStatus(sent.status, before, scope);
  const authorId = await chooseAuthor(tx, sent.author, before, scope);
  const texts = chooseTexts(sent, before, scope);
  const status = sent.status ?? before?.status ?? 'draft';
  const dates = planDates(sent, { before, status, now, timeZone: site.timezone });
  const password = dates.status === 'private' ? '' : (sent.password ?? before?.password ?? '');
  const sticky = kind.canStick && (sent.sticky ?? before?.sticky ?? false);
  if (sticky && (sent.password ?? before?.password ?? '') !== '')
    throw scope.refuse('rest_invalid_field', 'What is sticky can not have a password.');
  const parentId = await chooseParent(tx, sent.parent, before, scope);
  const wanted = planSlug({
    sent: sent.slug,
    before,
    status: dates.status,
    title: texts.title,
    mayPublish: can(caller, kind.rights.publish),
  });
  const owner = { id: before?.id, type: kind.type, parentId, slug: before?.slug };
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
      slug: wanted === '' ? '' : await findFreeSlug(tx, wanted, owner),
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

async function chooseAuthor(
  tx: Transaction,
  sent: number | undefined,
  before: ContentRow | undefined,
  scope: WritingScope,
): Promise<number> {
  const self = scope.caller.user?.id ?? 0;
  if (!sent) return before?.authorId ?? self;
  if (sent === self) return self;
  return requireAuthor(tx, scope, sent);
}

/** Addresses of the site are stored as the ones it had when it was set up, so that they move with it. */
function chooseTexts(sent: WrittenContent, before: ContentRow | undefined, scope: WritingScope) {
  const settle = (text: string) => relocate(text, scope.publicUrl, scope.site.url ?? scope.publicUrl);
  const texts = {
    title: sent.title === undefined ? (before?.title ?? '') : sent.title.trim(),
    content: sent.content === undefined ? (before?.content ?? '') : settle(sent.content),
    excerpt: sent.excerpt === undefined ? (before?.excerpt ?? '') : settle(sent.excerpt),
  };
  if (isBlank(texts)) throw scope.refuse('empty_content', 'Title, content and excerpt are empty.');
  return texts;
}

/** Anything may be a parent but the row itself and what is below it: then it has none. */
async function chooseParent(
  tx: Transaction,
  sent: number | undefined,
  before: ContentRow | undefined,
  { refuse }: WritingScope,
): Promise<number> {
  if (sent === undefined) return before?.parentId ?? 0;
  if (sent === 0) return 0;
  const above = await loadAncestors(tx, [{ parentId: sent }]);
  if (!above.has(sent))
    throw refuse('rest_post_invalid_id', 'There is nothing under the id of the parent.', { status: 400 });
  return before && above.has(before.id) ? 0 : sent;
}

/** Only an image can stand for a row; other ids change nothing. */
async function chooseImage(tx: Transaction, sent: number | undefined, before: ContentRow | undefined): Promise<number> {
  const present = before?.featuredMedia ?? 0;
  if (sent === undefined || sent === present) return present;
  if (sent === 0) return 0;
  const isImage = and(eq(content.id, sent), eq(content.type, 'attachment'), like(content.mimeType, 'image/%'));
  const [found] = await tx.select({ id: content.id }).from(content).where(isImage).limit(1);
  return found?.id ?? present;
}
