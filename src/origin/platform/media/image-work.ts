import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { RestError, type CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import { fitSize, requiredSizes, type ImageDimensions } from '#contracts/core/image-sizes.ts';

/** EXIF and IPTC metadata of an image without any. The interface represents unknown numbers as `0`. */
export const NO_IMAGE_META = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0' as string | number,
  keywords: [] as string[],
  alt: '',
};
export type ImageMeta = typeof NO_IMAGE_META;

/** Creates errors for images that can't be processed. */
export type CreateImageError = CreateRestError<'rest_upload_image_type_not_supported' | 'rest_upload_image_too_large'>;

/** Maximum number of pixels: 100 million take 400 MB uncompressed. */
export const MAX_PIXELS = 100_000_000;
/** Timeout of a single operation. Decoding the largest image takes two seconds. */
const TIMEOUT_SECONDS = 15;

/** Larger images are processed one at a time, as each may take much memory and all cores for seconds. */
const MANY_PIXELS = 16_000_000;
const largeQueue = pLimit(1);
const smallQueue = pLimit(2);

/** Opens an image; only the first frame of an animation. */
export function openImage(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: false }).timeout({
    seconds: TIMEOUT_SECONDS,
  });
}

/**
 * Runs work on an image in the queue of its size class.
 *
 * @throws RestError if the image can't be read or is too large
 */
export async function withImage<T>(
  call: { refuse: CreateImageError },
  bytes: Uint8Array,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const { width, height } = await openImage(bytes).metadata();
    if (width * height > MAX_PIXELS) throw tooLarge(call);
    return await (width * height > MANY_PIXELS ? largeQueue(work) : smallQueue(work));
  } catch (error) {
    if (error instanceof RestError) throw error;
    const reason = error instanceof Error ? error.message : '';
    if (error instanceof TooManyPixelsError || /exceeds pixel limit/i.test(reason)) throw tooLarge(call);
    if (/^timeout: \d/m.test(reason)) throw tooLarge(call, `takes more than ${TIMEOUT_SECONDS} seconds to process`);
    throw unreadableImage(call);
  }
}

export function unreadableImage({ refuse }: { refuse: CreateImageError }): RestError {
  return refuse('rest_upload_image_type_not_supported', 'The image is damaged or can not be read.');
}

/** Returns a new pipeline for the same image. */
export type ImageSource = () => Sharp;

/**
 * Opens an image, rotated by EXIF, as the source of smaller ones.
 *
 * Large images of formats that must be decoded completely are decoded once and reduced to the longest side.
 */
export async function openSource(bytes: Uint8Array): Promise<ImageSource> {
  const open = () => openImage(bytes).autoOrient();
  const { width, height, format } = await openImage(bytes).metadata();
  const scale = LONGEST_SIDE / Math.max(width, height);
  // Scaled very narrow images would be too small to crop the small sizes from.
  const isNarrow = Math.min(width, height) * scale < LONGEST_SIDE / 8;
  if (format === 'jpeg' || isNarrow || width * height <= MANY_PIXELS) return open;
  const shrunk = open().resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside' });
  const { data, info } = await shrunk.raw().toBuffer({ resolveWithObject: true });
  return () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** Thrown by processing that would create too many pixels. */
export class TooManyPixelsError extends Error {
  override readonly name = 'TooManyPixelsError';
}

function tooLarge(
  { refuse }: { refuse: CreateImageError },
  problem = `has more than ${MAX_PIXELS / 1_000_000} million pixels`,
): RestError {
  return refuse('rest_upload_image_too_large', `The image ${problem}. Upload a smaller one.`);
}

export const QUALITY = 82;
export const WEBP_QUALITY = 86;

/** Encoders of the image types that can be resized, each to its own type. */
const ENCODERS = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: QUALITY }),
  'image/png': (image: Sharp) => image.png(),
  'image/gif': (image: Sharp) => image.gif(),
  'image/webp': (image: Sharp) => image.webp({ quality: WEBP_QUALITY }),
  'image/avif': (image: Sharp) => image.avif({ quality: QUALITY, effort: 2 }),
  'image/tiff': (image: Sharp) => image.tiff({ quality: QUALITY }),
};
export type ResizableType = keyof typeof ENCODERS;
export const RESIZABLE_TYPES = Object.keys(ENCODERS) as ResizableType[];

export function isResizable(mimeType: string): mimeType is ResizableType {
  return Object.hasOwn(ENCODERS, mimeType);
}

/** Maximum side of the main image. Larger originals get a scaled replacement. */
export const LONGEST_SIDE = 2560;

export interface ImageFile extends ImageDimensions {
  bytes: Uint8Array;
}

/** Creates the smaller sizes of an image that the publishing interface offers, by name. */
export async function makeImageSizes(
  source: ImageSource,
  full: ImageDimensions,
  mimeType: ResizableType,
  sizes = requiredSizes(full),
): Promise<Record<string, ImageFile>> {
  const made: Record<string, ImageFile> = {};
  for (const size of sizes)
    made[size.name] = await resizeImage(source, { ...fitSize(full, size), crop: size.crop, mimeType });
  return made;
}

/** Returns width and height after rotation by EXIF. */
export async function measureImage(bytes: Uint8Array): Promise<ImageDimensions> {
  return (await openImage(bytes).metadata()).autoOrient;
}

/** Resizes an image to exactly these measures and encodes it. */
export async function resizeImage(
  source: ImageSource,
  { width, height, crop, mimeType }: ImageDimensions & { crop: boolean; mimeType: ResizableType },
): Promise<ImageFile> {
  return encodeImage(source().resize({ width, height, fit: crop ? 'cover' : 'fill' }), mimeType);
}

export async function encodeImage(image: Sharp, mimeType: ResizableType): Promise<ImageFile> {
  const { data, info } = await ENCODERS[mimeType](image).toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}
