import { dirname, normalize } from 'node:path/posix';
import { eq } from 'drizzle-orm';
import type { THUMBNAIL_ERRORS } from '#contracts/thumbnails/index.ts';
import { readMediaFile, type MediaFile } from '#origin/platform/content/read-media-file.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall, CreateRestError } from '#origin/platform/http/transport/index.ts';
import type { CreateImageError } from '#origin/platform/media/image-work.ts';
import { mediaFiles } from '#origin/platform/media/media-files.ts';
import { SITE_ICON, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';

/** Those who manage the site: it is much work for a server, and files may go. */
export function permitRegeneration({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options')) throw refuse('rest_forbidden', 'Only users who manage the site may do this.');
}

/** What work on a picture needs, with a request and without one. */
export interface PictureScope {
  context: OriginContext;
  refuse: CreateRestError<keyof typeof THUMBNAIL_ERRORS>;
}

export interface Picture {
  row: ContentRow;
  file: MediaFile;
  /** Path of the file that was uploaded, below the uploads folder. */
  original: string;
  /** Path of the folder of its files. */
  folder: string;
}

/**
 * A picture whose original is there. A document counts where it came with previews.
 *
 * @param uploads address of the uploads folder, without a slash at the end
 */
export async function findPicture(scope: PictureScope, id: number, uploads = ''): Promise<Picture> {
  const { context, refuse } = scope;
  const row = await findRow(scope, id);
  if (!row || row.type === 'revision')
    throw refuse('thumbnails_regenerator_attachment_doesnt_exist', `There is no media item ${id}.`);
  if (row.type !== 'attachment')
    throw refuse(
      'thumbnails_regenerator_not_attachment',
      `${id} is a ${row.type} and no media item. Send the id of a picture.`,
    );
  if (row.meta[SITE_ICON.key] === SITE_ICON.value)
    throw refuse(
      'thumbnails_regenerator_is_site_icon',
      'The icon of the site has sizes of its own, which are not made here.',
    );
  const file = readMediaFile(row, uploads);
  const folder = dirname(row.file);
  const original = `${folder}/${file.originalName}`;
  const isShown = file.isImage || Object.keys(file.details.sizes).length > 0;
  if (!isShown || !isInside(original) || !(await mediaFiles(context).has(original)))
    throw refuse(
      'thumbnails_regenerator_file_not_found',
      isShown
        ? `The file ${original}, from which sizes are made, is missing. Upload the picture again.`
        : `Of files of the type ${row.mimeType} no sizes are made.`,
      { details: { fullsizepath: original } },
    );
  return { row, file, original, folder };
}

/** The content with an id, whatever it is. */
export async function findRow({ context }: Pick<PictureScope, 'context'>, id: number): Promise<ContentRow | undefined> {
  const [row] = await context.store.db.select().from(content).where(eq(content.id, id)).limit(1);
  return row;
}

/** Pictures that can't be worked on, as this interface says it. */
export function refuseImage({ refuse }: Pick<PictureScope, 'refuse'>): CreateImageError {
  return (_, message) => refuse('image_no_editor', message);
}

/** Rows may come from elsewhere: no path leads out of the folder, or to files that are not served. */
function isInside(path: string): boolean {
  return normalize(path) === path && !/^\/|(?:^|\/)\./.test(path);
}
