import { basename } from 'node:path/posix';
import { IMAGE_SIZES, PREVIEW_SIZES, type ImageDimensions } from '#contracts/core/image-sizes.ts';
import type { PictureSizes } from '#contracts/thumbnails/routes.ts';
import { isResizable, measureImage, withImage } from '#origin/platform/media/image-work.ts';
import { expectedSizes, mediaFiles, splitName } from '#origin/platform/media/media-files.ts';
import { withOriginal } from '#origin/platform/media/regenerate-sizes.ts';
import { PICTURES_PATH } from '#origin/platform/site/editor-links.ts';
import { findSourceImage, imageErrorFactory, type SourceImage, type ImageContext } from './regenerate.ts';

/** Types that browsers can display. */
const DISPLAYABLE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/x-icon'];

/** Returns the expected and the existing sizes of an image. */
export async function presentSizes(scope: ImageContext, id: number, site: string): Promise<PictureSizes> {
  const picture = await findSourceImage(scope, id, `${site}/uploads`);
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
  const preview = DISPLAYABLE_TYPES.includes(row.mimeType) ? file.url : full && file.urlOf(full.file);
  return {
    name: row.title === '' ? `Attachment ${id}` : row.title,
    preview: preview ?? false,
    relative_path: original,
    edit_url: `${site}${PICTURES_PATH}/${id}`,
    width: file.details.width ?? null,
    height: file.details.height ?? null,
    registered_sizes: registered,
    unregistered_sizes: unregistered,
  };
}

type RegisteredSizes = PictureSizes['registered_sizes'];
type FileExists = (name: string) => Promise<boolean>;

async function listRegistered(scope: ImageContext, picture: SourceImage, has: FileExists): Promise<RegisteredSizes> {
  const names = new Map(
    expectedSizes(await measureOriginal(scope, picture), splitName(picture.file.originalName)).map(
      ({ size, file }) => [size.name, file] as const,
    ),
  );
  const registered: RegisteredSizes = [];
  for (const { name: label, width, height, crop } of IMAGE_SIZES) {
    const filename = names.get(label) ?? false;
    const fileexists = filename !== false && (await has(filename));
    registered.push({ label, width, height, crop, filename, fileexists });
  }
  return registered;
}

/** Lists the preview images that were imported with a document. */
async function listPreviews({ file: { details } }: SourceImage, has: FileExists): Promise<RegisteredSizes> {
  const registered: RegisteredSizes = [];
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
 * Returns the dimensions of the upright original. Those in the row belong to the scaled version, whose sizes can differ
 * by a pixel, which changes their file names.
 */
async function measureOriginal(scope: ImageContext, { row, file, original }: SourceImage): Promise<ImageDimensions> {
  const { width, height, image_meta } = file.details;
  if (width === undefined || height === undefined)
    throw scope.refuse(
      'thumbnails_regenerator_no_metadata',
      'The dimensions of the image are unknown. Regenerate its sizes to measure it.',
    );
  const isScaled = basename(row.file) !== file.originalName;
  if (!isScaled || !isResizable(row.mimeType))
    return Number(image_meta?.orientation ?? 0) >= 5 ? { width: height, height: width } : { width, height };
  const measured = await withOriginal(scope.context, original, (bytes) =>
    withImage({ refuse: imageErrorFactory(scope) }, bytes, () => measureImage(bytes, true)),
  );
  return measured ?? { width, height };
}
