import pLimit from 'p-limit';
import sharp, { type Sharp } from 'sharp';
import { RestError } from '../../publishing/transport/index.ts';

/** Larger pictures are refused: 100 million pixels unpacked are 400 MB. */
export const MAX_PIXELS = 100_000_000;
const SECONDS = 60;

/** One at a time: a picture may need much memory, and libvips uses all cores for it. */
const limit = pLimit(1);

/** Opens a picture, the first of an animated one. */
export function openImage(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: false }).timeout({
    seconds: SECONDS,
  });
}

/**
 * Works on a picture, after those that came before it.
 *
 * @throws RestError for one that can't be read or is too large
 */
export function withImage<T>(work: () => Promise<T>): Promise<T> {
  return limit(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RestError) throw error;
      const reason = error instanceof Error ? error.message : '';
      if (/exceeds pixel limit/i.test(reason)) throw tooManyPixels();
      throw new RestError('rest_upload_image_type_not_supported', 400, 'The picture can not be read or is damaged.');
    }
  });
}

export function tooManyPixels(): RestError {
  return new RestError(
    'rest_upload_image_too_large',
    400,
    `The picture has more than ${MAX_PIXELS / 1_000_000} million pixels. Make it smaller and upload it again.`,
  );
}
