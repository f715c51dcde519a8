import { basename, dirname, normalize } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import type { RegenerationOptions, THUMBNAIL_ERRORS, PictureSizes } from '#contracts/thumbnails/routes.ts';
import { readMediaFile, type StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import {
  updateMediaDetails,
  runExclusively,
  findOriginals,
  regenerateSizes,
  removeRegenerated,
  type RegeneratedSizes,
  withOriginal,
} from '#origin/platform/media/regenerate-sizes.ts';
import { isResizable, measureImage, withImage } from '#origin/platform/media/image-work.ts';
import { splitName, expectedSizes } from '#origin/platform/media/media-files.ts';
import { type ContentRow, SITE_ICON } from '#origin/platform/registry/content-kind.ts';
import { eq } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import { content } from '#origin/platform/store/schema.ts';
import { IMAGE_SIZES, PREVIEW_SIZES, type ImageDimensions } from '#contracts/core/image-sizes.ts';
import { PICTURES_PATH } from '#origin/platform/site/editor-links.ts';

type SizeOptions = Omit<RegenerationOptions, 'update_usages_in_posts'>;

/**
 * Generates the sizes of an image. Writes files atomically, then updates the row, then deletes leftover files. The result
 * is the same if it is interrupted and repeated.
 *
 * @returns true if the sizes have changed
 * @throws RestError if the image cannot be regenerated
 */
export function regenerateImage(scope: ImageContext, id: number, options: SizeOptions): Promise<boolean> {
  return runExclusively(scope.context, id, async () => {
    const picture = await findSourceImage(scope, id);
    const { row } = picture;
    const { mimeType } = row;
    if (!isResizable(mimeType))
      throw scope.refuse('image_no_editor', `Sizes cannot be generated for files of type ${mimeType}.`);
    const remade = await regenerateSizes(
      { context: scope.context, refuse: (_, message) => scope.refuse('image_no_editor', message) },
      { ...row, mimeType },
      { onlyMissing: options.only_regenerate_missing_thumbnails },
    );
    if (!remade)
      throw scope.refuse('thumbnails_regenerator_file_not_found', `The original file ${picture.original} is missing.`);
    const isDeleting = options.delete_unregistered_thumbnail_files;
    const after = await saveSizes(scope, picture, remade, isDeleting);
    if (!after) {
      await removeRegenerated(scope.context, row, remade);
      throw scope.refuse('thumbnails_regenerator_attachment_doesnt_exist', `The media item ${id} was deleted.`);
    }
    if (isDeleting) await removeUnlistedSizes(scope, picture, after);
    return after !== row;
  });
}

/** @returns the current row, or undefined if it was deleted */
async function saveSizes(
  scope: ImageContext,
  { row, file, folder }: SourceImage,
  remade: RegeneratedSizes,
  isDeleting: boolean,
): Promise<ContentRow | undefined> {
  const files = scope.context.files.uploads;
  const existing = new Set<string>();
  for (const { file: stored } of Object.values(file.details.sizes))
    if (await files.has(`${folder}/${basename(stored)}`)) existing.add(basename(stored));
  const isMeasured = file.details.width !== undefined && file.details.height !== undefined;
  const merge = (sizes: Sizes) => mergeSizes(sizes, remade, existing, isDeleting);
  if (isMeasured && isDeepStrictEqual(merge(file.details.sizes), file.details.sizes))
    return remade.written.length === 0 || (await findContentRow(scope, row.id)) ? row : undefined;
  return updateMediaDetails(scope.context, row.id, (mediaDetails) => ({
    ...mediaDetails,
    ...(isMeasured ? {} : remade.full),
    sizes: merge(readMediaFile({ ...row, mediaDetails }, '').details.sizes),
  }));
}

type Sizes = Record<string, StoredImageSize>;

/**
 * Returns the sizes to store: the expected ones, and unregistered ones unless they are deleted.
 *
 * @param existing names of the files of `before` that exist
 */
function mergeSizes(
  before: Sizes,
  { expected, made }: RegeneratedSizes,
  existing: ReadonlySet<string>,
  isDeleting: boolean,
): Sizes {
  const merged = new Map<string, StoredImageSize>();
  for (const { size } of expected) {
    const now = made.get(size.name) ?? before[size.name];
    if (now) merged.set(size.name, now);
  }
  if (isDeleting) return Object.fromEntries(merged);
  for (const [name, old] of Object.entries(before)) {
    const now = merged.get(name);
    const file = basename(old.file);
    if (!now) merged.set(name, old);
    else if (basename(now.file) !== file && existing.has(file))
      merged.set(`${name}_old_${old.width}x${old.height}`, old);
  }
  return Object.fromEntries(merged);
}

/** Deletes files named like sizes of this image that are not listed, except originals of other media items. */
async function removeUnlistedSizes(
  { context }: ImageContext,
  { row, file, folder, original }: SourceImage,
  after: ContentRow,
): Promise<void> {
  const files = context.files.uploads;
  const { base, extension } = splitName(file.originalName);
  const isSize = (name: string) =>
    name.startsWith(`${base}-`) && /^(?:e\d+-)?\d+x\d+\.\w+$/.test(name.slice(base.length + 1));
  const inFolder = await files.list(folder, `${base}-`);
  const listed = Object.values(file.details.sizes).map((size) => basename(size.file));
  const found = inFolder.map(({ path }) => basename(path)).filter((name) => name.endsWith(`.${extension}`));
  const current = Object.values(readMediaFile(after, '').details.sizes).map((size) => basename(size.file));
  const retained = new Set([original, row.file, ...current.map((name) => `${folder}/${name}`)]);
  const paths = [...new Set([...listed, ...found])]
    .filter(isSize)
    .map((name) => `${folder}/${name}`)
    .filter((path) => !retained.has(path));
  const foreign = await findOriginals(context.store.db, paths, row.id);
  for (const path of paths) if (!foreign.has(path)) await files.remove(path);
}

/** Requires the right to manage options, since regeneration is expensive and can delete files. */
export function authorizeRegeneration({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options')) throw refuse('rest_forbidden', 'You are not allowed to regenerate thumbnails.');
}

/** Dependencies of image operations, for requests and background jobs. */
export interface ImageContext {
  context: OriginContext;
  refuse: CreateRestError<keyof typeof THUMBNAIL_ERRORS>;
}

type SourceImage = Awaited<ReturnType<typeof findSourceImage>>;

/**
 * Finds an image with an existing original, and the paths of its folder and original below the uploads folder.
 * Documents with preview images are accepted too.
 *
 * @throws RestError if there is no such image or file
 */
async function findSourceImage(scope: ImageContext, id: number) {
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
  const file = readMediaFile(row, `${context.publicUrl}/uploads`);
  const folder = dirname(row.file);
  const original = `${folder}/${file.originalName}`;
  const hasSizes = file.isImage || Object.keys(file.details.sizes).length > 0;
  // Rejects paths outside the uploads folder and hidden files, since imported rows are not trusted.
  const isInside = normalize(original) === original && !/^\/|(?:^|\/)\./.test(original);
  if (!hasSizes || !isInside || !(await context.files.uploads.has(original)))
    throw refuse(
      'thumbnails_regenerator_file_not_found',
      hasSizes
        ? `The original file ${original} is missing. Upload the image again.`
        : `Files of type ${row.mimeType} have no sizes.`,
      { details: { fullsizepath: original } },
    );
  return { row, file, original, folder };
}

export async function findContentRow({ context }: Pick<ImageContext, 'context'>, id: number) {
  const [row] = await context.store.db.select().from(content).where(eq(content.id, id)).limit(1);
  return row;
}

/** Types that browsers can display. */
const DISPLAYABLE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/x-icon'];

/** Returns the expected and the existing sizes of an image. */
export async function presentSizes(scope: ImageContext, id: number): Promise<PictureSizes> {
  const { publicUrl } = scope.context;
  const picture = await findSourceImage(scope, id);
  const { row, file, original, folder } = picture;
  const files = scope.context.files.uploads;
  const has = (name: string) => files.has(`${folder}/${name}`);
  const registered = await listRegistered(scope, picture, has);

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
    edit_url: `${publicUrl}${PICTURES_PATH}/${id}`,
    width: file.details.width ?? null,
    height: file.details.height ?? null,
    registered_sizes: registered,
    unregistered_sizes: unregistered,
  };
}

/** Lists the sizes that an image should have, or the preview images that were imported with a document. */
async function listRegistered(
  scope: ImageContext,
  picture: SourceImage,
  has: (name: string) => Promise<boolean>,
): Promise<PictureSizes['registered_sizes']> {
  const { isImage, originalName, details } = picture.file;
  const names = isImage
    ? expectedSizes(await measureOriginal(scope, picture), splitName(originalName)).map(
        ({ size, file }) => [size.name, file] as const,
      )
    : Object.entries(details.sizes).map(([label, { file }]) => [label, basename(file)] as const);
  const nameOf = new Map(names);
  const { full } = details.sizes;
  const sizes = [
    ...IMAGE_SIZES.filter(({ name }) => isImage || PREVIEW_SIZES.includes(name)),
    ...(full && !isImage ? [{ name: 'full', width: full.width, height: full.height }] : []),
  ];
  return Promise.all(
    sizes.map(async ({ name: label, ...size }) => {
      const filename = nameOf.get(label) ?? false;
      return { label, ...size, filename, fileexists: filename !== false && (await has(filename)) };
    }),
  );
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
    withImage({ refuse: (_, message) => scope.refuse('image_no_editor', message) }, bytes, () => measureImage(bytes)),
  );
  return measured ?? { width, height };
}
