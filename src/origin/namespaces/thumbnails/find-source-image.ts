import { dirname, normalize } from 'node:path/posix';
import { eq } from 'drizzle-orm';
import type { THUMBNAIL_ERRORS } from '#contracts/thumbnails/picture-routes.ts';
import { readMediaFile, type MediaFile } from '#origin/platform/content/read-media-file.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, CreateRestError } from '#origin/platform/http/transport/index.ts';
import type { CreateImageError } from '#origin/platform/media/image-work.ts';
import { mediaFiles } from '#origin/platform/media/media-files.ts';
import { SITE_ICON, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';

/** Requires the right to manage options, since regeneration is expensive and can delete files. */
export function authorizeRegeneration({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options')) throw refuse('rest_forbidden', 'You are not allowed to regenerate thumbnails.');
}

/** Dependencies of image operations, for requests and background jobs. */
export interface ImageContext {
  context: OriginContext;
  refuse: CreateRestError<keyof typeof THUMBNAIL_ERRORS>;
}

export interface SourceImage {
  row: ContentRow;
  file: MediaFile;
  /** Path of the uploaded file, relative to the uploads folder. */
  original: string;
  /** Folder of its files, relative to the uploads folder. */
  folder: string;
}

/**
 * Finds an image with an existing original. Documents with preview images are accepted too.
 *
 * @param uploads URL of the uploads folder, without a trailing slash
 * @throws RestError if there is no such image or file
 */
export async function findSourceImage(scope: ImageContext, id: number, uploads = ''): Promise<SourceImage> {
  const { context, refuse } = scope;
  const row = await findContentRow(scope, id);
  if (!row || row.type === 'revision')
    throw refuse('thumbnails_regenerator_attachment_doesnt_exist', `Media item ${id} does not exist.`);
  if (row.type !== 'attachment')
    throw refuse(
      'thumbnails_regenerator_not_attachment',
      `${id} is a ${row.type}, not a media item. Send the ID of an image.`,
    );
  if (row.meta[SITE_ICON.key] === SITE_ICON.value)
    throw refuse('thumbnails_regenerator_is_site_icon', 'The site icon has special sizes that cannot be regenerated.');
  const file = readMediaFile(row, uploads);
  const folder = dirname(row.file);
  const original = `${folder}/${file.originalName}`;
  const hasSizes = file.isImage || Object.keys(file.details.sizes).length > 0;
  if (!hasSizes || !isInside(original) || !(await mediaFiles(context).has(original)))
    throw refuse(
      'thumbnails_regenerator_file_not_found',
      hasSizes
        ? `The original file ${original} is missing. Upload the image again.`
        : `Files of type ${row.mimeType} have no sizes.`,
      { details: { fullsizepath: original } },
    );
  return { row, file, original, folder };
}

/** Finds a content row of any type by ID. */
export async function findContentRow(
  { context }: Pick<ImageContext, 'context'>,
  id: number,
): Promise<ContentRow | undefined> {
  const [row] = await context.store.db.select().from(content).where(eq(content.id, id)).limit(1);
  return row;
}

/** Creates the error factory for images that cannot be processed. */
export function imageErrorFactory({ refuse }: Pick<ImageContext, 'refuse'>): CreateImageError {
  return (_, message) => refuse('image_no_editor', message);
}

/** Rejects paths outside the uploads folder and hidden files, since imported rows are not trusted. */
function isInside(path: string): boolean {
  return normalize(path) === path && !/^\/|(?:^|\/)\./.test(path);
}
