import { NO_IMAGE_META, type ImageMeta } from './image-meta.ts';
import { openImage, openSource, withImage, type RefuseImage } from './image-work.ts';
import {
  fitSize,
  LONGEST_SIDE,
  makeImageSizes,
  measureImage,
  resizeImage,
  SIZED_TYPES,
  type ImageFile,
  type SizedType,
} from './make-image-sizes.ts';
import { readAudio } from './read-audio.ts';
import { readExif } from './read-exif.ts';
import { readVideo } from './read-movie.ts';
import { withoutPosition } from './without-position.ts';

export interface PreparedMedia {
  mimeType: string;
  /** As it came, without the place where a picture was taken. */
  original: Uint8Array;
  /** What is shown in its place, with what its name gets. */
  standIn?: ImageFile & { suffix: '-scaled' | '-rotated' };
  sizes: Record<string, ImageFile>;
  /** `media_details` without what depends on names. */
  measured: Record<string, unknown>;
  /** What the file says of itself. */
  title: string;
  caption: string;
}

/**
 * Measures a file and makes the sizes of a picture. Nothing is written.
 *
 * @param options.generateSizes without: no sizes, no stand-in for what is large or turned
 * @throws for pictures that can't be read, are of a type that nothing can be made of, or are too large
 */
export async function prepareMedia(
  original: Uint8Array,
  { mimeType }: { mimeType: string },
  options: { generateSizes: boolean; refuse: RefuseImage },
): Promise<PreparedMedia> {
  const plain = { mimeType, original, sizes: {}, title: '', caption: '' };
  if (mimeType.startsWith('image/')) {
    // Icons hold several pictures and have no sizes.
    if (mimeType === 'image/x-icon') {
      const icon = withoutPosition(original);
      return { ...plain, original: icon, measured: { filesize: icon.length } };
    }
    return withImage(options, original, () => prepareImage(original, mimeType, options));
  }
  const measured = { ...readSound(original, mimeType), filesize: original.length };
  return { ...plain, measured };
}

function readSound(bytes: Uint8Array, mimeType: string): Record<string, unknown> {
  if (mimeType.startsWith('audio/')) return readAudio(bytes, mimeType);
  return mimeType.startsWith('video/') ? readVideo(bytes, mimeType) : {};
}

async function prepareImage(
  sent: Uint8Array,
  mimeType: string,
  { generateSizes }: { generateSizes: boolean },
): Promise<PreparedMedia> {
  if (!isSized(mimeType)) throw new Error(`${mimeType} can not be decoded.`);
  const original = withoutPosition(sent);
  const { width, height, exif, orientation = 1, pages = 1 } = await openImage(original).metadata();
  const meta: ImageMeta = exif ? readExif(exif) : { ...NO_IMAGE_META };
  const about = { mimeType, original, title: meta.title, caption: meta.caption };
  if (!generateSizes) return { ...about, sizes: {}, measured: measure({ width, height }, original, meta) };

  const full = await measureImage(original, true);
  // One frame of an animation can't stand in for it.
  const isLarge = Math.max(width, height) > LONGEST_SIDE && pages === 1;
  const isTurned = orientation > 1;
  const source = await openSource(original, true, LONGEST_SIDE);
  const sizes = await makeImageSizes(original, { mimeType, upright: true }, source);
  if (!isLarge && !isTurned) {
    // What is damaged fails when it is decoded: here, where no size has done it.
    if (Object.keys(sizes).length === 0) await openImage(original).stats();
    return { ...about, sizes, measured: measure(full, original, meta) };
  }
  const box = isLarge ? fitSize(full, { width: LONGEST_SIDE, height: LONGEST_SIDE, crop: false }) : full;
  const shown = await resizeImage(source, { ...box, crop: false, mimeType });
  const standIn = { ...shown, suffix: isLarge ? ('-scaled' as const) : ('-rotated' as const) };
  const shownMeta = isTurned ? { ...meta, orientation: 1 } : meta;
  return { ...about, standIn, sizes, measured: measure(shown, shown.bytes, shownMeta) };
}

function measure({ width, height }: { width: number; height: number }, bytes: Uint8Array, meta: ImageMeta) {
  return { width, height, filesize: bytes.length, image_meta: meta };
}

/** Whether sizes can be made of a type. */
export function isSized(mimeType: string): mimeType is SizedType {
  return (SIZED_TYPES as readonly string[]).includes(mimeType);
}
