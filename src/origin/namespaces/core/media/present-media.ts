import type { z } from 'zod';
import { media } from '#contracts/core/index.ts';
import { commonFields } from '#origin/platform/content/common-fields.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from '#origin/platform/content/content-view.ts';
import { readMediaFile, type MediaFile } from '#origin/platform/content/read-media-file.ts';
import { PREVIEW_SIZES, sizesOf } from '#origin/platform/files/file-store.ts';
import { presentTexts, type LaterMakers } from '#origin/platform/http/present-fields.ts';
import type { Shown } from '#origin/platform/http/transport/index.ts';
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
export function presentMedia(row: ContentRow, view: ContentView): Promise<Shown<WireMedia>> {
  const { call, context } = view;
  const file = readMediaFile(row, `${call.addresses.site}/uploads`);
  const own = fileFields(file, view);
  const wants = (name: string) => (name in own ? call.fields.wantsWhole(name) : call.fields.wants(name));
  const makers = { ...commonFields(row, view), ...own, meta: () => [] as [] };
  return presentTexts(media, makers, { context, call: { fields: { wants } } });
}

type WireMedia = z.input<typeof media>;

function fileFields(file: MediaFile, view: ContentView) {
  const { row, details } = file;
  const here = (text: string) => relocate(text, view.site.url, view.call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (view.context === 'edit' ? { raw, rendered } : { rendered });
  const markup = async () => mediaMarkup(file) + (await runAside('content', here(row.content)));
  const previews = row.mimeType === 'application/pdf' ? PREVIEW_SIZES : [];
  const needed = file.isImage ? sizesOf(details.width ?? 0, details.height ?? 0).map(({ name }) => name) : previews;
  const ofImage = <T>(make: () => T) => (file.isImage ? make : () => undefined);
  return {
    description: async () => withRaw(here(row.content), await markup()),
    caption: async () => withRaw(here(row.excerpt), await runAside('excerpt', here(row.excerpt), await markup())),
    alt_text: () => row.altText,
    media_type: () => (file.isImage ? 'image' : 'file'),
    mime_type: () => row.mimeType,
    media_details: () => mediaDetails(file),
    post: () => row.parentId || null,
    source_url: () => file.url,
    missing_image_sizes: () => needed.filter((name) => !(name in details.sizes)),
    filename: () => file.originalName,
    filesize: () => details.filesize ?? null,
    exif_orientation: ofImage(() => Number(details.image_meta?.orientation ?? 0) || 1),
    image_output_format: ofImage(() => null),
    image_save_progressive: ofImage(() => false),
    image_quality: ofImage(() => ({
      default: row.mimeType === 'image/webp' ? WEBP_QUALITY : QUALITY,
      sizes: [] as [],
    })),
  } satisfies Partial<LaterMakers<WireMedia>>;
}
