import { basename } from 'node:path/posix';
import { z } from 'zod';
import { and, asc, eq, gt, inArray, like, notInArray } from 'drizzle-orm';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { saveRevision, announceContent, updateRow } from '#origin/platform/content/writing/write-content.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { splitName } from '#origin/platform/media/media-files.ts';
import { getKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';
import { decodeHtml, escapeHtml } from '#contracts/html/html-text.ts';
import { findSpans, findTags, replaceTags, tryParse } from '#contracts/scan-text.ts';
import { readBlockMarks, type BlockMark } from '#origin/platform/render/render-blocks.ts';

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
export async function updateUsages(context: OriginContext, options: UsageOptions) {
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
  const stepIds = step.map(({ id }) => id);
  const posts = await db
    .select({ id: content.id, text: content.content })
    .from(content)
    .where(and(inArray(content.id, stepIds), like(content.content, `%${mark}%`)))
    .orderBy(asc(content.id));
  let updated = 0;
  for (const { id, text } of posts) {
    const shown = await loadImages(context, pictures === 'all' ? findImageIds(text) : [pictures]);
    if (rewriteImages(text, shown) !== text && (await updatePost(context, id, shown, authorId))) updated += 1;
  }
  return { last, updated };
}

/** Updates all posts in steps. */
export async function updateAllUsages(context: OriginContext, options: Omit<UsageOptions, 'after'>): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) after = (await updateUsages(context, { ...options, after })).last;
}

/** Maximum number of different images per post. */
const MAX_IMAGES = 1000;

function findImageIds(text: string): number[] {
  const ids = [...text.matchAll(/wp-image-(\d{1,15})/g)].map(([, id]) => Number(id));
  return [...new Set(ids)].slice(0, MAX_IMAGES);
}

async function loadImages(context: OriginContext, ids: readonly number[]): Promise<Map<number, UploadedImage>> {
  if (ids.length === 0) return new Map();
  const site = await loadSite({ context });
  const uploads = `${site.url ?? context.publicUrl}/uploads`;
  const rows = await context.store.db
    .select()
    .from(content)
    .where(and(eq(content.type, 'attachment'), inArray(content.id, [...ids])));
  return new Map(rows.flatMap((row) => (row.file === '' ? [] : [[row.id, toUploadedImage(row, uploads)] as const])));
}

function toUploadedImage(row: ContentRow, uploads: string) {
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
    /** Sizes by name, with `full` for the main file. */
    sizes,
    /** Returns the name of the size that a current or former file belongs to. */
    sizeOf: (file: string) =>
      labels.get(file) ?? (file.startsWith(`${base}-`) ? findClosestSize(file, sizes) : undefined),
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
async function updatePost(context: OriginContext, id: number, pictures: Images, authorId: number): Promise<boolean> {
  const { timezone } = await loadSite({ context });
  return writeContent(context.store.db, async (tx) => {
    const [before] = await tx.select().from(content).where(eq(content.id, id)).for('update');
    const text = before && rewriteImages(before.content, pictures);
    if (!before || text === undefined || text === before.content) return false;
    const kind = getKind(before, context.kinds);
    const now = new Date();
    const modified = { modified: toSiteTime(now, timezone), modifiedGmt: toSiteTime(now, 'UTC') };
    await saveRevision(tx, before, before.authorId);
    const after = await updateRow(tx, before, { content: text, ...modified });
    await kind.save?.(tx, after, {});
    await saveRevision(tx, after, authorId);
    await announceContent(tx, before, after);
    return true;
  });
}

/** An uploaded image with its current files, to update references in texts. */
export type UploadedImage = ReturnType<typeof toUploadedImage>;

/** Images by ID. */
type Images = ReadonlyMap<number, UploadedImage>;

interface UploadedImageSize {
  url: string;
  width: number;
  height: number;
}

/** Maximum width of files in `srcset`, in pixels. */
const MAX_SOURCE_WIDTH = 2048;

/** Matches the generated default of `sizes`. */
const DEFAULT_SIZES = /^(auto, )?\(max-width: \d+px\) 100vw, \d+px$/;

/**
 * Updates image references to the current files: URLs and dimensions of elements with the class `wp-image-<id>`, block
 * settings, and the width of caption shortcodes. Other text doesn't change. Takes linear time.
 */
export function rewriteImages(text: string, pictures: Images): string {
  const parts: string[] = [];
  const opened: ImageBlock[] = [];
  let end = 0;
  const flush = (upTo: number) => parts.push(rewriteTags(text.slice(end, upTo), pictures, opened.at(-1)));
  for (const mark of readBlockMarks(text)) {
    flush(mark.start);
    end = mark.end;
    const settings = mark.settings === '' ? undefined : readSettings(mark.settings);
    if (mark.name === 'image' && mark.kind === 'open') opened.push(settings ?? {});
    if (mark.name === 'image' && mark.kind === 'close') opened.pop();
    parts.push(rewriteMark(text.slice(mark.start, mark.end), mark, settings, pictures));
  }
  flush(text.length);
  return rewriteCaptions(parts.join(''));
}

/** Settings of the block around an image. */
type ImageBlock = Readonly<Record<string, unknown>>;

function readSettings(json: string): ImageBlock | undefined {
  return z.record(z.string(), z.unknown()).safeParse(tryParse(json)).data;
}

/** Escapes for characters that could end the block comment or be parsed as markup. */
const ESCAPED: Readonly<Record<string, string>> = {
  '--': String.raw`\u002d\u002d`,
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  [String.raw`\"`]: String.raw`\u0022`,
};

function rewriteMark(source: string, mark: BlockMark, settings: ImageBlock | undefined, pictures: Images): string {
  const picture = settings && pictures.get(Number(settings['id'] ?? settings['mediaId']));
  if (!settings || !picture) return source;
  const changed = Object.entries(settings).map(([name, value]) => {
    const size = typeof value === 'string' ? picture.sizes.get(picture.sizeOf(fileName(value)) ?? '') : undefined;
    return [name, size && fileName(size.url) !== fileName(String(value)) ? size.url : value] as const;
  });
  if (changed.every(([name, value]) => settings[name] === value)) return source;
  const json = JSON.stringify(Object.fromEntries(changed)).replaceAll(
    /--|[<>&]|\\"/g,
    (character) => ESCAPED[character] ?? character,
  );
  return source.replace(mark.settings, () => json);
}

function rewriteTags(html: string, pictures: Images, block?: ImageBlock): string {
  return replaceTags(html, /<img\b/i, ({ source }) => {
    const attributes = readAttributes(source);
    const classes = (attributes.get('class') ?? '').split(/\s+/);
    const id = findSuffix(classes, 'wp-image-');
    const picture = id === undefined ? undefined : pictures.get(Number(id));
    if (!picture) return source;
    const classSize = findSuffix(classes, 'size-');
    const chosen = block?.['sizeSlug'];
    const src = attributes.get('src') ?? '';
    const label = classSize ?? (typeof chosen === 'string' ? chosen : picture.sizeOf(fileName(src)));
    if (label === undefined) return source;
    // Falls back to the current size if the chosen one is no longer registered.
    const current = picture.sizes.get(picture.sizeOf(fileName(src)) ?? '');
    const size = picture.sizes.get(label) ?? current ?? picture.sizes.get('full');
    if (!size) return source;

    const changes = new Map<string, string>();
    if (fileName(src) !== fileName(size.url)) changes.set('src', size.url);
    const srcset = attributes.get('srcset');
    if (srcset !== undefined && (changes.has('src') || !isCurrentSrcset(srcset, picture)))
      changes.set('srcset', buildSrcset(picture, size));
    const defaults = DEFAULT_SIZES.exec(attributes.get('sizes') ?? '');
    if (defaults) changes.set('sizes', `${defaults[1] ?? ''}(max-width: ${size.width}px) 100vw, ${size.width}px`);
    // Blocks with explicit dimensions keep them.
    const isMeasured = attributes.has('width') && attributes.has('height');
    const isResized = block !== undefined && ('width' in block || 'height' in block);
    if (classSize !== undefined || (isMeasured && !isResized)) {
      changes.set('width', String(size.width));
      changes.set('height', String(size.height));
    }
    return changeAttributes(source, attributes, changes);
  });
}

function isCurrentSrcset(srcset: string, { sizes, sizeOf }: UploadedImage): boolean {
  const addresses = srcset.split(',').map((entry) => entry.trim().split(/\s/)[0] ?? '');
  return addresses.every(
    (address) => fileName(sizes.get(sizeOf(fileName(address)) ?? '')?.url ?? '') === fileName(address),
  );
}

/** Builds `srcset` from the given size and all others of the same aspect ratio, up to the maximum width. */
function buildSrcset({ sizes }: UploadedImage, shown: UploadedImageSize): string {
  const alternatives = [...sizes.values()].filter(
    ({ url, width, height }) =>
      url !== shown.url &&
      width <= MAX_SOURCE_WIDTH &&
      Math.abs((height * shown.width) / Math.max(width, 1) - shown.height) <= 1,
  );
  return [shown, ...alternatives].map(({ url, width }) => `${url} ${width}w`).join(', ');
}

/** Sets the width of caption shortcodes to that of their image. */
function rewriteCaptions(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { opening, inner, start } of findSpans(text, /\[caption\b[^[\]]*\]/i, /\[\/caption\]/i)) {
    const [whole] = opening;
    const id = /\bid=["']?attachment_(\d+)/i.exec(whole)?.[1];
    const { value: image } = findTags(inner, /<img\b/i).next();
    const attributes = readAttributes(image?.source ?? '');
    const classes = (attributes.get('class') ?? '').split(/\s+/);
    const isCaptioned = id !== undefined && findSuffix(classes, 'wp-image-') === id;
    const width = attributes.get('width') ?? '';
    if (!isCaptioned || !/^\d+$/.test(width)) continue;
    parts.push(
      text.slice(end, start),
      whole.replace(/\bwidth=(["']?)\d+/i, (_, quote: string) => `width=${quote}${width}`),
    );
    end = start + whole.length;
  }
  return parts.join('') + text.slice(end);
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Reads attributes by their names in lower case. Of several with the same name, the first counts. */
function readAttributes(tag: string): Attributes {
  const found = [...tag.slice('<img'.length).matchAll(ATTRIBUTE)];
  return new Map(
    found
      .toReversed()
      .map(([, name = '', double, single, bare]) => [name.toLowerCase(), decodeHtml(double ?? single ?? bare ?? '')]),
  );
}

const formatAttribute = (name: string, value: string) => `${name}="${escapeHtml(value)}"`;

type Attributes = ReadonlyMap<string, string>;

/** Updates attributes, and inserts new ones at the start. Unchanged attributes keep their spelling. */
function changeAttributes(tag: string, attributes: Attributes, changes: Attributes): string {
  const added = [...changes].filter(([name]) => !attributes.has(name));
  const rest = tag.slice('<img'.length).replace(ATTRIBUTE, (source, written: string) => {
    const name = written.toLowerCase();
    const value = changes.get(name);
    return value === undefined || value === attributes.get(name) ? source : formatAttribute(name, value);
  });
  return [tag.slice(0, '<img'.length), ...added.map((one) => ` ${formatAttribute(...one)}`), rest].join('');
}

function findSuffix(classes: readonly string[], prefix: string): string | undefined {
  return classes.find((name) => name.startsWith(prefix))?.slice(prefix.length);
}

/** Returns the last segment of a URL, without query and fragment. */
function fileName(address: string): string {
  const path = address.replace(/[?#].*/s, '');
  return path.slice(path.lastIndexOf('/') + 1);
}
