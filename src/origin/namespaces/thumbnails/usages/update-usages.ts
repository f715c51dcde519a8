import { basename } from 'node:path/posix';
import { and, asc, eq, gt, inArray, like, notInArray } from 'drizzle-orm';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { saveRevision, writeContent } from '#origin/platform/content/write-content.ts';
import { announceContent } from '#origin/platform/content/writing/present-written.ts';
import { updateRow } from '#origin/platform/content/writing/update-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { Memo } from '#origin/platform/http/transport/index.ts';
import { splitName } from '#origin/platform/media/media-files.ts';
import { getKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import { rewriteImages, type UploadedImage, type UploadedImageSize } from './rewrite-images.ts';

export interface UsageOptions {
  /** Content types. @default all types with pages, except files */
  types?: readonly string[];
  /** @default all posts */
  ids?: readonly number[];
  /** Only posts with ids above this one. */
  after: number;
  /** Maximum number of posts to check. */
  limit: number;
  /** ID of the image to update, or `all` for every image in a post. */
  pictures: number | 'all';
  /** Author of the revisions. */
  authorId: number;
}

/**
 * Checks the next posts for images, and updates them to the current files. Saves a revision of each changed post.
 *
 * @returns ID of the last checked post, undefined if there are no more, and the number of changed posts
 */
export async function updateUsages(
  context: OriginContext,
  options: UsageOptions,
): Promise<{ last: number | undefined; updated: number }> {
  const { db } = context.store;
  const { ids = [], types = [], after, limit, pictures, authorId } = options;
  const kinds = [...context.kinds.values()].filter(({ hasPage, isFile }) => hasPage && !isFile);
  const selectedTypes = kinds.map(({ type }) => type).filter((type) => types.length === 0 || types.includes(type));
  if (selectedTypes.length === 0) return { last: undefined, updated: 0 };
  // Selects the step by ID first, so that no statement searches the texts of all posts.
  const step = await db
    .select({ id: content.id })
    .from(content)
    .where(
      and(
        gt(content.id, after),
        inArray(content.type, selectedTypes),
        ids.length > 0 ? inArray(content.id, [...ids]) : undefined,
        notInArray(content.status, ['trash', 'auto-draft']),
      ),
    )
    .orderBy(asc(content.id))
    .limit(limit);
  const last = step.at(-1)?.id;
  if (last === undefined) return { last, updated: 0 };
  const mark = pictures === 'all' ? 'wp-image-' : `wp-image-${pictures}`;
  const posts = await db
    .select({ id: content.id, text: content.content })
    .from(content)
    .where(
      and(
        inArray(
          content.id,
          step.map(({ id }) => id),
        ),
        like(content.content, `%${mark}%`),
      ),
    )
    .orderBy(asc(content.id));
  let updated = 0;
  for (const { id, text } of posts) {
    const shown = await loadImages(context, pictures === 'all' ? findImageIds(text) : [pictures]);
    if (rewriteImages(text, shown) !== text && (await updatePost(context, id, shown, authorId))) updated += 1;
  }
  return { last, updated };
}

/** Updates all posts in steps. @returns number of changed posts */
export async function updateAllUsages(context: OriginContext, options: Omit<UsageOptions, 'after'>): Promise<number> {
  let updated = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const step = await updateUsages(context, { ...options, after });
    updated += step.updated;
    after = step.last;
  }
  return updated;
}

/** Maximum number of different images per post. */
const MAX_IMAGES = 1000;

function findImageIds(text: string): number[] {
  const found = new Set<number>();
  for (const [, id] of text.matchAll(/wp-image-(\d{1,15})/g)) {
    found.add(Number(id));
    if (found.size === MAX_IMAGES) break;
  }
  return [...found];
}

async function loadImages(context: OriginContext, ids: readonly number[]): Promise<Map<number, UploadedImage>> {
  if (ids.length === 0) return new Map();
  const site = await loadSite({ context, requestMemo: new Memo() });
  const uploads = `${site.url ?? context.publicUrl}/uploads`;
  const rows = await findImageRows(context.store.db, ids);
  return new Map(rows.flatMap((row) => (row.file === '' ? [] : [[row.id, toUploadedImage(row, uploads)] as const])));
}

function findImageRows(db: Database, ids: readonly number[]): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(and(eq(content.type, 'attachment'), inArray(content.id, [...ids])));
}

function toUploadedImage(row: ContentRow, uploads: string): UploadedImage {
  const { details, url, urlOf, originalName } = readMediaFile(row, uploads);
  const { width = 0, height = 0 } = details;
  const labels = new Map<string, string>([
    [basename(row.file), 'full'],
    [originalName, 'full'],
  ]);
  const sizes = new Map<string, UploadedImageSize>();
  for (const [name, size] of Object.entries(details.sizes)) {
    const label = name.replace(/_old_\d+x\d+$/, '');
    labels.set(basename(size.file), label);
    if (label === name) sizes.set(name, { url: urlOf(size.file), width: size.width, height: size.height });
  }
  // For documents, which have no dimensions, `full` is a preview and is already set.
  if (width > 0 && height > 0) sizes.set('full', { url, width, height });
  const { base } = splitName(originalName);
  return {
    sizes,
    sizeOf: (file) => labels.get(file) ?? (file.startsWith(`${base}-`) ? findClosestSize(file, sizes) : undefined),
  };
}

/** Finds the size for a missing file, by the width in its name: the same width or the next wider one. */
function findClosestSize(file: string, sizes: ReadonlyMap<string, UploadedImageSize>): string | undefined {
  const width = Number(/-(\d{1,6})x\d{1,6}\.\w+$/.exec(file)?.[1]);
  if (!Number.isFinite(width)) return undefined;
  const wide = [...sizes].filter(([, size]) => size.width >= width).toSorted(([, a], [, b]) => a.width - b.width);
  return wide[0]?.[0] ?? 'full';
}

/** Writes a post with updated images. Its former state is saved as a revision. */
async function updatePost(
  context: OriginContext,
  id: number,
  pictures: ReadonlyMap<number, UploadedImage>,
  authorId: number,
): Promise<boolean> {
  const { timezone } = await loadSite({ context, requestMemo: new Memo() });
  return writeContent(context.store.db, async (tx) => {
    const [before] = await tx.select().from(content).where(eq(content.id, id)).for('update');
    const text = before && rewriteImages(before.content, pictures);
    if (!before || text === undefined || text === before.content) return false;
    const kind = getKind(before, context.kinds);
    const now = new Date();
    const modified = { modified: toSiteTime(now, timezone), modifiedGmt: toSiteTime(now, 'UTC') };
    await saveRevision(tx, before, before.authorId);
    const after = await updateRow(tx, before, { content: text, ...modified }, { kind });
    await kind.save?.(tx, after, {});
    await saveRevision(tx, after, authorId);
    await announceContent(tx, context, before, after);
    return true;
  });
}
