import { basename } from 'node:path/posix';
import { IMAGE_SIZES, PREVIEW_SIZES, type ImageDimensions } from '#contracts/core/image-sizes.ts';
import type { PictureSizes } from '#contracts/thumbnails/index.ts';
import { isResizable, measureImage } from '#origin/platform/media/image-sizes.ts';
import { withImage } from '#origin/platform/media/image-work.ts';
import { expectedSizes, mediaFiles, splitName } from '#origin/platform/media/media-files.ts';
import { withOriginal } from '#origin/platform/media/regenerate-sizes.ts';
import { PICTURES_PATH } from '#origin/platform/site/editor-links.ts';
import { findPicture, refuseImage, type Picture, type PictureScope } from './find-picture.ts';

/** Types that browsers show. */
const SHOWN = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/x-icon'];

/** The sizes of a picture that are expected, and those that there are. */
export async function presentSizes(scope: PictureScope, id: number, site: string): Promise<PictureSizes> {
  const picture = await findPicture(scope, id, `${site}/uploads`);
  const { row, file, original, folder } = picture;
  const files = mediaFiles(scope.context);
  const has = (name: string) => files.has(`${folder}/${name}`);
  const registered = file.isImage ? await listRegistered(scope, picture, has) : await listPreviews(picture, has);

  const expected = new Set(registered.map(({ filename }) => filename));
  const labels = new Set(registered.map(({ label }) => label));
  const unregistered: PictureSizes['unregistered_sizes'] = [];
  for (const [name, { file: stored, width, height }] of Object.entries(file.details.sizes)) {
    const filename = basename(stored);
    if (expected.has(filename) || !(await has(filename))) continue;
    const label = labels.has(name) ? `${name} (old)` : name;
    unregistered.push({ label, width, height, filename, fileexists: true });
  }
  const full = file.details.sizes['full'];
  const shown = SHOWN.includes(row.mimeType) ? file.url : full && file.urlOf(full.file);
  return {
    name: row.title === '' ? `Attachment ${id}` : row.title,
    preview: shown ?? false,
    relative_path: original,
    edit_url: `${site}${PICTURES_PATH}/${id}`,
    width: file.details.width ?? null,
    height: file.details.height ?? null,
    registered_sizes: registered,
    unregistered_sizes: unregistered,
  };
}

type Registered = PictureSizes['registered_sizes'];
type Has = (name: string) => Promise<boolean>;

async function listRegistered(scope: PictureScope, picture: Picture, has: Has): Promise<Registered> {
  const names = new Map(
    expectedSizes(await measureOriginal(scope, picture), splitName(picture.file.originalName)).map(
      ({ size, file }) => [size.name, file] as const,
    ),
  );
  const registered: Registered = [];
  for (const { name: label, width, height, crop } of IMAGE_SIZES) {
    const filename = names.get(label) ?? false;
    const fileexists = filename !== false && (await has(filename));
    registered.push({ label, width, height, crop, filename, fileexists });
  }
  return registered;
}

/** A document has the previews that came with it. */
async function listPreviews({ file: { details } }: Picture, has: Has): Promise<Registered> {
  const registered: Registered = [];
  for (const { name: label, width, height, crop } of IMAGE_SIZES) {
    if (!PREVIEW_SIZES.includes(label)) continue;
    const stored = details.sizes[label];
    const filename = stored ? basename(stored.file) : false;
    const fileexists = filename !== false && (await has(filename));
    registered.push({ label, width, height, crop, filename, fileexists });
  }
  const { full } = details.sizes;
  if (!full) return registered;
  const { width, height } = full;
  const filename = basename(full.file);
  return [...registered, { label: 'full', width, height, filename, fileexists: await has(filename) }];
}

/**
 * Measures of the original as it is seen. The row has those of what is shown in its place: their sizes may differ by
 * a pixel, and so the names of files.
 */
async function measureOriginal(scope: PictureScope, { row, file, original }: Picture): Promise<ImageDimensions> {
  const { width, height, image_meta } = file.details;
  if (width === undefined || height === undefined)
    throw scope.refuse(
      'thumbnails_regenerator_no_metadata',
      'The measures of the picture are not known. Regenerate its sizes: they are measured then.',
    );
  const isStandIn = basename(row.file) !== file.originalName;
  if (!isStandIn || !isResizable(row.mimeType))
    return Number(image_meta?.orientation ?? 0) >= 5 ? { width: height, height: width } : { width, height };
  const measured = await withOriginal(scope.context, original, (bytes) =>
    withImage({ refuse: refuseImage(scope) }, bytes, () => measureImage(bytes, true)),
  );
  return measured ?? { width, height };
}
