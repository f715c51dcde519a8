import { basename } from 'node:path/posix';
import type { z } from 'zod';
import { media } from '#contracts/core/media.ts';
import { type ContentView, commonFields } from '#origin/platform/content/present-content.ts';
import { readMediaFile, type MediaFile, type StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import { PREVIEW_SIZES, requiredSizes } from '#contracts/core/image-sizes.ts';
import { presentFields, type FieldValues, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { QUALITY, WEBP_QUALITY } from './image-work.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';

/** Order of sizes in responses; the store has none. */
const SIZE_ORDER = ['medium', 'large', 'thumbnail', 'medium_large', '1536x1536', '2048x2048'];

const PREVIEW = { name: 'medium', side: 300 };

/** Wider sources are useless for a preview. */
const MAX_SOURCE_WIDTH = 2048;

/** Presents a media item. Fields that only media have can be selected as a whole only, not by dotted names. */
export async function presentMedia(row: ContentRow, view: ContentView): Promise<SelectedFields<WireMedia>> {
  const { call, context } = view;
  const file = readMediaFile(row, `${call.addresses.site}/uploads`);
  const mediaFields = await fileFields(file, view);
  const includes = (name: string) => (name in mediaFields ? call.fields.wantsWhole(name) : call.fields.wants(name));
  const values = { ...(await commonFields(row, view)), ...mediaFields, meta: [] as [] };
  return presentFields(media, values, { context, call: { fields: { wants: includes } } });
}

type WireMedia = z.input<typeof media>;

async function fileFields(file: MediaFile, view: ContentView) {
  const { row, details } = file;
  const { fields } = view.call;
  const relocated = (text: string) => replaceSiteUrl(text, view.site.url, view.call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (view.context === 'edit' ? { raw, rendered } : { rendered });
  const [description, caption] = [relocated(row.content), relocated(row.excerpt)];
  const hasMarkup = fields.wantsWhole('description') || fields.wantsWhole('caption');
  const markup = hasMarkup ? mediaMarkup(file) + (await runTextJob('content', description)) : '';
  const previews = row.mimeType === 'application/pdf' ? PREVIEW_SIZES : [];
  const needed = file.isImage
    ? requiredSizes({ width: details.width ?? 0, height: details.height ?? 0 }).map(({ name }) => name)
    : previews;
  return {
    description: withRaw(description, markup),
    caption: withRaw(caption, fields.wantsWhole('caption') ? await runTextJob('excerpt', caption, markup) : ''),
    alt_text: row.altText,
    media_type: file.isImage ? ('image' as const) : ('file' as const),
    mime_type: row.mimeType,
    media_details: mediaDetails(file),
    post: row.parentId || null,
    source_url: file.url,
    missing_image_sizes: needed.filter((name) => !(name in details.sizes)),
    filename: file.originalName,
    filesize: details.filesize ?? null,
    exif_orientation: file.isImage ? Number(details.image_meta?.orientation ?? 0) || 1 : undefined,
    image_output_format: file.isImage ? null : undefined,
    image_save_progressive: file.isImage ? false : undefined,
    image_quality: file.isImage
      ? { default: row.mimeType === 'image/webp' ? WEBP_QUALITY : QUALITY, sizes: [] as [] }
      : undefined,
  } satisfies Partial<FieldValues<WireMedia>>;
}

/** Measured details of a file. Each size of an image includes its address, and `full` is the image itself. */
function mediaDetails(file: MediaFile): Record<string, unknown> {
  const { row, details } = file;
  const { width, height } = details;
  const { sizes: _, ...measured } = details;
  const sizes = orderSizes(details).map(([name, size]) => [name, presentSize(file, size)] as const);
  const full = { file: basename(row.file), width, height, mime_type: row.mimeType, source_url: file.url };
  return {
    ...(file.isImage ? { width, height, file: row.file } : {}),
    ...measured,
    sizes: sizes.length > 0 ? { ...Object.fromEntries(sizes), full } : {},
  };
}

function presentSize(file: MediaFile, size: StoredImageSize) {
  const { file: name, width, height, filesize, mime_type } = size;
  return { file: name, width, height, filesize, mime_type, source_url: file.urlOf(name) };
}

/** Markup of a media item on its own page: a linked preview of an image, a player, or a link to the file. */
function mediaMarkup(file: MediaFile): string {
  const { row, url } = file;
  if (file.isImage) return linkTo(url, previewImage(file));
  const { width, height } = file.details;
  const source = `<source type="${row.mimeType}" src="${url}?_=1" /><a href="${url}">${url}</a>`;
  if (row.mimeType.startsWith('audio/')) {
    const id = `audio-${row.id}-1`;
    return `<audio class="wp-audio-shortcode" id="${id}" preload="none" style="width: 100%;" controls="controls">${source}</audio>\n`;
  }
  if (row.mimeType.startsWith('video/') && width !== undefined && height !== undefined) {
    const id = `video-${row.id}-1`;
    return (
      `<div style="width: ${width}px;" class="wp-video"><video class="wp-video-shortcode" id="${id}" width="${width}" ` +
      `height="${height}" preload="metadata" controls="controls">${source}</video></div>\n`
    );
  }
  return linkTo(url, texturise(row.title));
}

function linkTo(url: string, inner: string): string {
  return `<p class="attachment"><a href='${url}'>${inner}</a></p>\n`;
}

type Source = ReturnType<typeof toSource>;

function previewImage(file: MediaFile): string {
  const { row, details } = file;
  const full: Source = { url: file.url, width: details.width ?? 0, height: details.height ?? 0 };
  const stored = details.sizes[PREVIEW.name];
  const preview = stored ? toSource(file, stored) : scaleToPreview(full);
  const size = full.width > 0 ? `width="${preview.width}" height="${preview.height}" ` : '';
  const sources = stored
    ? withSameRatio(preview, [...orderSizes(details).map(([, size]) => toSource(file, size)), full])
    : [];
  const sets =
    sources.length > 1
      ? ` srcset="${sources.map(({ url, width }) => `${url} ${width}w`).join(', ')}"` +
        ` sizes="auto, (max-width: ${preview.width}px) 100vw, ${preview.width}px"`
      : '';
  return (
    `<img loading="lazy" decoding="async" ${size}src="${preview.url}" class="attachment-medium size-medium" ` +
    `alt="${escapeHtml(row.altText)}"${sets} />`
  );
}

function toSource(file: MediaFile, { file: name, width, height }: StoredImageSize) {
  return { url: file.urlOf(name), width, height };
}

function scaleToPreview(full: Source): Source {
  const scale = Math.min(1, PREVIEW.side / Math.max(full.width, full.height, 1));
  return { ...full, width: Math.round(full.width * scale), height: Math.round(full.height * scale) };
}

/** Returns the preview and the sources with the same aspect ratio that are not too wide. */
function withSameRatio(preview: Source, sources: readonly Source[]): Source[] {
  const matching = sources.filter(
    (source) =>
      source.url !== preview.url &&
      source.width <= MAX_SOURCE_WIDTH &&
      Math.abs((source.height * preview.width) / source.width - preview.height) <= 1,
  );
  return [preview, ...matching];
}

/** Sorts the sizes of an image in the usual order. */
function orderSizes({ sizes }: MediaFile['details']): [name: string, size: StoredImageSize][] {
  const rank = (name: string) => (SIZE_ORDER.includes(name) ? SIZE_ORDER.indexOf(name) : SIZE_ORDER.length);
  return Object.entries(sizes).toSorted(([a], [b]) => rank(a) - rank(b));
}
