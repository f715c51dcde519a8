import { media } from '#contracts/core/index.ts';
import { commonFields } from '#origin/platform/content/common-fields.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from '#origin/platform/content/content-view.ts';
import { readMediaFile, type MediaFile } from '#origin/platform/content/read-media-file.ts';
import { PREVIEW_SIZES, sizesOf } from '#origin/platform/files/file-store.ts';
import { presentTexts, type FieldMakers } from '#origin/platform/http/present-fields.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { relocate } from '#origin/platform/site/index.ts';
import { mediaDetails } from './media-details.ts';
import { mediaMarkup } from './media-markup.ts';

const QUALITY = 82;
const WEBP_QUALITY = 86;

/**
 * A medium as the wire shows it. Fields that only media have are shown as a whole or not at all: a dotted name
 * into one of them finds nothing.
 */
export function presentMedia(row: ContentRow, view: ContentView): Promise<Record<string, unknown>> {
  const { call } = view;
  const file = readMediaFile(row, `${call.addresses.site}/uploads`);
  const own = { ...fileFields(file, view), ...(file.isImage ? imageFields(file) : {}) };
  const whole = Object.fromEntries(Object.entries(own).filter(([name]) => call.fields.wantsWhole(name)));
  return presentTexts(media, { ...commonFields(row, view), meta: () => [], ...whole }, view);
}

function fileFields(file: MediaFile, view: ContentView): FieldMakers {
  const { row, details } = file;
  const here = (text: string) => relocate(text, view.site.url, view.call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (view.context === 'edit' ? { raw, rendered } : { rendered });
  const markup = async () => mediaMarkup(file) + (await runAside('content', here(row.content)));
  const previews = row.mimeType === 'application/pdf' ? PREVIEW_SIZES : [];
  return {
    description: async () => withRaw(here(row.content), await markup()),
    caption: async () => withRaw(here(row.excerpt), await runAside('excerpt', here(row.excerpt), await markup())),
    alt_text: () => row.altText,
    media_type: () => (file.isImage ? 'image' : 'file'),
    mime_type: () => row.mimeType,
    media_details: () => mediaDetails(file),
    post: () => row.parentId || null,
    source_url: () => file.url,
    missing_image_sizes: () => previews.filter((name) => !(name in details.sizes)),
    filename: () => file.originalName,
    filesize: () => details.filesize ?? null,
  };
}

function imageFields({ row, details }: MediaFile): FieldMakers {
  const needed = sizesOf(details.width ?? 0, details.height ?? 0);
  return {
    missing_image_sizes: () => needed.map(({ name }) => name).filter((name) => !(name in details.sizes)),
    exif_orientation: () => Number(details.image_meta?.orientation ?? 0) || 1,
    image_output_format: () => null,
    image_save_progressive: () => false,
    image_quality: () => ({ default: row.mimeType === 'image/webp' ? WEBP_QUALITY : QUALITY, sizes: [] }),
  };
}
