import { basename, dirname } from 'node:path/posix';
import { z } from 'zod';
import { cutFileTexts } from '#files/media/file-text.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

const storedSize = z.looseObject({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  filesize: z.int().optional(),
  mime_type: z.string(),
});

const storedDetails = z.looseObject({
  width: z.int().optional().catch(undefined),
  height: z.int().optional().catch(undefined),
  filesize: z.int().optional().catch(undefined),
  /** Name of the uploaded file, if a scaled one replaces it. */
  original_image: z.string().optional().catch(undefined),
  sizes: z.record(z.string(), storedSize).catch({}).default({}),
  image_meta: z.looseObject({ orientation: z.unknown() }).optional().catch(undefined),
});

export type StoredImageSize = z.output<typeof storedSize>;

export type MediaFile = ReturnType<typeof readMediaFile>;

/**
 * Reads the address and the measured details of a media item.
 *
 * @param uploads address of the uploads folder, without a trailing slash
 */
export function readMediaFile(row: ContentRow, uploads: string) {
  const details = storedDetails.parse(cutFileTexts(row.mediaDetails));
  const folder = dirname(row.file) === '.' ? '' : `${dirname(row.file)}/`;
  return {
    row,
    url: `${uploads}/${row.file}`,
    isImage: row.mimeType.startsWith('image/'),
    // Imported rows are untrusted: a name must not point to another folder.
    /** Name of the uploaded file. */
    originalName: basename(details.original_image ?? row.file),
    details,
    /** Returns the address of another file of the media item. */
    urlOf: (file: string) => `${uploads}/${folder}${basename(file)}`,
  };
}
