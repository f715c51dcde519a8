import { basename } from 'node:path/posix';
import { orderSizes } from './order-sizes.ts';
import type { MediaFile, StoredImageSize } from '#origin/platform/content/read-media-file.ts';

/** What was measured of a file; each size of an image with its address, and the image itself among them. */
export function mediaDetails(file: MediaFile): Record<string, unknown> {
  const { row, details } = file;
  const { width, height } = details;
  const { sizes: _, ...measured } = details;
  const sizes = orderSizes(details).map(([name, size]) => [name, withAddress(file, size)] as const);
  const full = { file: basename(row.file), width, height, mime_type: row.mimeType, source_url: file.url };
  return {
    ...(file.isImage ? { width, height, file: row.file } : {}),
    ...measured,
    sizes: sizes.length > 0 ? { ...Object.fromEntries(sizes), full } : {},
  };
}

function withAddress(file: MediaFile, size: StoredImageSize) {
  const { file: name, width, height, filesize, mime_type } = size;
  return { file: name, width, height, filesize, mime_type, source_url: file.urlOf(name) };
}
