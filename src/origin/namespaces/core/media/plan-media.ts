import { eq } from 'drizzle-orm';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { chooseAuthor, planDates, planSlug, type WritingScope } from '#origin/platform/content/writing/plan-content.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { toSiteTime, toUtc } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { z } from 'zod';
import type { mediaBody } from '#contracts/core/media.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { setImmediate } from 'node:timers/promises';
import { fileTypeFromBuffer } from 'file-type';
import { hasPdfHeader } from '#files/media/file-text.ts';
import { isUploadType, UPLOAD_TYPES } from '#origin/platform/files/file-store.ts';
import type { FileName } from '#origin/platform/media/media-files.ts';

export type MediaErrorCode = 'rest_cannot_publish' | 'rest_invalid_author';
export type MediaInput = z.output<typeof mediaBody>;

type MediaPlanContext = Omit<WritingScope, 'kind' | 'refuse'> & { refuse: CreateRestError<MediaErrorCode> };

/** Requires the right to edit the parent post. `planMedia` checks whether the parent can have media. */
export async function authorizeParent(
  { context, caller, refuse }: AnyCall<'rest_cannot_edit'>,
  post: number | undefined,
): Promise<void> {
  if (!post) return;
  const [parent] = await context.store.db.select().from(content).where(eq(content.id, post)).limit(1);
  if (!parent || !canEdit(parent, caller))
    throw refuse('rest_cannot_edit', 'You are not allowed to edit the parent post.');
}

/** Returns the columns to write: the request's values, else those of the row, else the defaults. */
export async function planMedia(
  tx: Transaction,
  sent: MediaInput,
  before: ContentRow | undefined,
  scope: MediaPlanContext,
) {
  const { caller, site, now } = scope;
  const status = chooseStatus(sent.status, before, scope);
  const { date, dateGmt } = planDates(sent, { before, status, now, timeZone: site.timezone });
  const isUnfiltered = can(caller, 'unfiltered_html');
  const toSiteLinks = (text: string) => replaceSiteUrl(text, scope.publicUrl, site.url ?? scope.publicUrl);
  const html = async (text: string | undefined, old: string) =>
    text === undefined ? old : toSiteLinks(isUnfiltered ? text : await runTextJob('filter', text));
  const inline = async (text: string) => (isUnfiltered ? text : await runTextJob('filterInline', text)).trim();
  const title = sent.title === undefined ? (before?.title ?? '') : await inline(sent.title);
  const parentId = await chooseParent(tx, sent.post, before, scope);
  const wanted = planSlug(sent.slug, before, { status, title, canPublish: can(caller, 'publish_posts') });
  const slugOwner = { id: before?.id, type: 'attachment', parentId, slug: before?.slug } as const;
  return {
    type: 'attachment' as const,
    status,
    date,
    dateGmt,
    modified: before ? toSiteTime(now, site.timezone) : date,
    modifiedGmt: before ? toSiteTime(now, 'UTC') : (dateGmt ?? toUtc(date, site.timezone)),
    title,
    slug: wanted === '' ? '' : await findFreeSlug(tx, wanted, slugOwner),
    excerpt: await html(sent.caption, before?.excerpt ?? ''),
    content: await html(sent.description, before?.content ?? ''),
    altText: plainText(sent.alt_text ?? before?.altText ?? ''),
    authorId: await chooseAuthor(tx, sent.author, before, scope),
    parentId,
    commentStatus: sent.comment_status ?? before?.commentStatus ?? 'open',
    pingStatus: sent.ping_status ?? before?.pingStatus ?? 'closed',
    template: sent.template ?? before?.template ?? '',
  };
}

/** Media items inherit the visibility of their parent or are private. Other statuses are ignored. */
function chooseStatus(sent: string | undefined, before: ContentRow | undefined, { caller, refuse }: MediaPlanContext) {
  if (sent === undefined) return before?.status ?? 'inherit';
  if (sent !== 'private') return 'inherit';
  if (before?.status !== 'private' && !can(caller, 'publish_posts'))
    throw refuse('rest_cannot_publish', 'You are not allowed to create private media.');
  return sent;
}

/** Requires a parent that has a page and is not a file. Unknown IDs are stored as they are. */
async function chooseParent(
  tx: Transaction,
  sent: number | undefined,
  before: ContentRow | undefined,
  { kinds, refuse }: MediaPlanContext,
): Promise<number> {
  if (sent === undefined) return before?.parentId ?? 0;
  if (sent <= 0) return 0;
  const [parent] = await tx.select({ type: content.type }).from(content).where(eq(content.id, sent)).limit(1);
  const kind = parent && kinds.get(parent.type);
  if (parent && (!kind?.hasPage || kind.isFile))
    throw refuse('rest_invalid_param', 'Media can only be attached to content with a page, such as a post.');
  return sent;
}

/** MIME types that `file-type` may detect for a file of a type, if not the type itself. */
const DETECTED_AS: Readonly<Record<string, readonly string[]>> = {
  'audio/mpeg': ['audio/mpeg', 'audio/x-m4a', 'audio/mp4', 'video/mp4'],
  'audio/ogg': ['audio/ogg', 'audio/ogg; codecs=opus', 'application/ogg'],
  'audio/wav': ['audio/wav', 'audio/vnd.wave'],
  'audio/flac': ['audio/flac', 'audio/x-flac'],
  'video/mp4': ['video/mp4', 'video/x-m4v'],
  'video/ogg': ['video/ogg', 'application/ogg'],
  'video/mpeg': ['video/mpeg', 'video/MP1S', 'video/MP2P'],
  'video/x-matroska': ['video/x-matroska', 'video/matroska'],
  'image/heic': ['image/heic', 'image/heif'],
  'image/heif': ['image/heic', 'image/heif'],
  'application/msword': ['application/x-cfb'],
  'application/vnd.ms-excel': ['application/x-cfb'],
  'application/vnd.ms-powerpoint': ['application/x-cfb'],
};

const byExtension = new Map(
  Object.entries(UPLOAD_TYPES).flatMap(([type, extensions]) => extensions.map((extension) => [extension, type])),
);

interface TypedFile extends FileName {
  mimeType: string;
}

/**
 * Detects the type of a file from its bytes. The type must match the extension, except for images, whose extension is
 * corrected. Returns undefined for files that no role can upload, such as HTML, scripts, SVG and disguised files.
 */
export async function detectUploadType(bytes: Uint8Array, name: FileName): Promise<TypedFile | undefined> {
  const claimed = byExtension.get(name.extension);
  if (claimed === undefined || name.base === '') return undefined;
  const mime = (await fileTypeFromBuffer(bytes))?.mime;
  // An animated PNG.
  const detected = mime === 'image/apng' ? 'image/png' : mime;
  if (claimed.startsWith('image/')) return matchImageType(name, claimed, detected);
  if (detected === undefined) {
    const isClaimed = claimed === 'application/pdf' ? hasPdfHeader(bytes) : await isPlainText(claimed, bytes);
    return isClaimed ? { ...name, mimeType: claimed } : undefined;
  }
  const matches = detected === claimed || (DETECTED_AS[claimed] ?? []).includes(detected);
  return matches ? { ...name, mimeType: claimed } : undefined;
}

function matchImageType(name: FileName, claimed: string, detected: string | undefined): TypedFile | undefined {
  if (detected === undefined || !detected.startsWith('image/') || !isUploadType(detected)) return undefined;
  if (detected === claimed || DETECTED_AS[claimed]?.includes(detected)) return { ...name, mimeType: claimed };
  return { ...name, extension: UPLOAD_TYPES[detected]?.[0] ?? name.extension, mimeType: detected };
}

const CHUNK_BYTES = 1024 * 1024;
/** True for text without control characters, in any encoding. Reads in chunks, so that other requests are served. */
async function isPlainText(claimed: string, bytes: Uint8Array): Promise<boolean> {
  if (!claimed.startsWith('text/')) return false;
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    if (hasControl(bytes.subarray(start, start + CHUNK_BYTES))) return false;
    await setImmediate();
  }
  return true;
}

/** Tabs, line breaks and escapes are allowed. */
function hasControl(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 32 && (byte < 9 || byte > 13) && byte !== 27);
}
