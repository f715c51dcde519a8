import type { MediaFile, StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { texturise } from '#origin/platform/render/index.ts';
import { orderSizes } from './order-sizes.ts';

const PREVIEW = { name: 'medium', side: 300 };
/** Wider ones are of no use to a browser that shows a preview. */
const MAX_SOURCE_WIDTH = 2048;

/** A medium as its own page shows it: a linked preview of an image, a player, or a link to the file. */
export function mediaMarkup(file: MediaFile): string {
  const { row, url } = file;
  if (file.isImage) return linked(url, previewImage(file));
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
  return linked(url, texturise(row.title));
}

function linked(url: string, inner: string): string {
  return `<p class="attachment"><a href='${url}'>${inner}</a></p>\n`;
}

interface Source {
  url: string;
  width: number;
  height: number;
}

function previewImage(file: MediaFile): string {
  const { row, details } = file;
  const full: Source = { url: file.url, width: details.width ?? 0, height: details.height ?? 0 };
  const stored = details.sizes[PREVIEW.name];
  const preview = stored ? sourceOf(file, stored) : fit(full);
  const size = full.width > 0 ? `width="${preview.width}" height="${preview.height}" ` : '';
  const sources = stored
    ? sameShape(preview, [...orderSizes(details).map(([, size]) => sourceOf(file, size)), full])
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

function sourceOf(file: MediaFile, { file: name, width, height }: StoredImageSize): Source {
  return { url: file.urlOf(name), width, height };
}

function fit(full: Source): Source {
  const scale = Math.min(1, PREVIEW.side / Math.max(full.width, full.height, 1));
  return { ...full, width: Math.round(full.width * scale), height: Math.round(full.height * scale) };
}

/** The preview first, then what shows the same picture in other sizes: not a crop, and not too wide. */
function sameShape(preview: Source, sources: readonly Source[]): Source[] {
  const others = sources.filter(
    (source) =>
      source.url !== preview.url &&
      source.width <= MAX_SOURCE_WIDTH &&
      Math.abs((source.height * preview.width) / source.width - preview.height) <= 1,
  );
  return [preview, ...others];
}
