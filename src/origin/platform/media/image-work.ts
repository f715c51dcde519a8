import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { RestError, type Refuse } from '#origin/platform/http/transport/index.ts';

export const NO_IMAGE_META: Readonly<ImageMeta> = {
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
  orientation: '0',
  keywords: [],
  alt: '',
};

/** Refuses pictures that nothing can be made of. */
export type RefuseImage = Refuse<'rest_upload_image_type_not_supported' | 'rest_upload_image_too_large'>;

/** Larger pictures are refused: 100 million pixels unpacked are 400 MB. */
export const MAX_PIXELS = 100_000_000;
/** What one step may take: decoding the largest takes two. */
const SECONDS = 15;

/** Pictures of more are worked on one at a time: each may need much memory, and all cores for seconds. */
const MANY_PIXELS = 16_000_000;
const largeOnes = pLimit(1);
/** Others don't wait for those. */
const usualOnes = pLimit(2);

/** Opens a picture, the first of an animated one. */
export function openImage(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: false }).timeout({
    seconds: SECONDS,
  });
}

/**
 * Works on a picture, after those of its size that came before it.
 *
 * @throws for one that can't be read or is too large
 */
export async function withImage<T>(
  call: { refuse: RefuseImage },
  bytes: Uint8Array,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const { width, height } = await openImage(bytes).metadata();
    if (width * height > MAX_PIXELS) throw tooLarge(call);
    return await (width * height > MANY_PIXELS ? largeOnes(work) : usualOnes(work));
  } catch (error) {
    if (error instanceof RestError) throw error;
    const reason = error instanceof Error ? error.message : '';
    if (error instanceof TooManyPixelsError || /exceeds pixel limit/i.test(reason)) throw tooLarge(call);
    if (/^timeout: \d/m.test(reason)) throw tooLarge(call, `takes more than ${SECONDS} seconds to work on`);
    throw unreadableImage(call);
  }
}

export function unreadableImage({ refuse }: { refuse: RefuseImage }): RestError {
  return refuse('rest_upload_image_type_not_supported', 'The picture can not be read or is damaged.');
}

/** A picture as often as it is needed. */
export type ImageSource = () => Sharp;

/**
 * A picture to make smaller ones of. Formats that have to be decoded as a whole are, once, where there is much to
 * decode: what comes of it has the longest side that is wanted.
 *
 * @param upright whether it is turned as EXIF says
 */
export async function openSource(bytes: Uint8Array, upright: boolean, longestSide: number): Promise<ImageSource> {
  const open = () => (upright ? openImage(bytes).autoOrient() : openImage(bytes));
  const { width, height, format } = await openImage(bytes).metadata();
  const scale = longestSide / Math.max(width, height);
  // Of very narrow ones nothing would be left to cut the small sizes from.
  const isNarrow = Math.min(width, height) * scale < longestSide / 8;
  if (format === 'jpeg' || isNarrow || width * height <= MANY_PIXELS) return open;
  const shrunk = open().resize({ width: longestSide, height: longestSide, fit: 'inside' });
  const { data, info } = await shrunk.raw().toBuffer({ resolveWithObject: true });
  return () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** Thrown by work on a picture that would make too much of it. */
export class TooManyPixelsError extends Error {
  override readonly name = 'TooManyPixelsError';
}

function tooLarge(
  { refuse }: { refuse: RefuseImage },
  why = `has more than ${MAX_PIXELS / 1_000_000} million pixels`,
): RestError {
  return refuse('rest_upload_image_too_large', `The picture ${why}. Make it smaller and upload it again.`);
}

/** What a camera told of a picture. The interface writes numbers it doesn't know as `0`. */
export interface ImageMeta {
  aperture: string;
  credit: string;
  camera: string;
  caption: string;
  created_timestamp: string;
  copyright: string;
  focal_length: string;
  iso: string;
  shutter_speed: string;
  title: string;
  orientation: string | number;
  keywords: string[];
  alt: string;
}
