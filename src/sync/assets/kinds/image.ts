import { MAX_ANIMATION_BYTES } from '#contracts/media-file.ts';
import { checkType, type AssetKind } from '../asset-kind.ts';

/** Accepted types. SVG is excluded because it can contain scripts. An animated PNG is served as a PNG. */
const TYPES = ['image/png', 'image/apng', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'];
const WHAT = 'a PNG, JPEG, WebP, AVIF or GIF image';

/** 100 megapixels: more than any product photo, and far less than a decoder can handle. */
const MAX_PIXELS = 100_000_000;

/** Images. Measures width and height after rotation, and the number of frames. */
export const IMAGE: AssetKind = {
  kind: 'image',
  what: WHAT,
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1',
  check: async (bytes) => {
    const checked = await checkType(bytes, WHAT, TYPES);
    if (!checked.ok) return checked;
    const isAnimatedPng = checked.mimeType === 'image/apng';
    // Load on demand: most runs fetch no images.
    const { default: sharp } = await import('sharp');
    try {
      const { autoOrient, pages = 1 } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
      const frames = isAnimatedPng ? pngFrames(bytes) : pages;
      return {
        ...checked,
        ...(isAnimatedPng && { mimeType: 'image/png', extension: 'png' }),
        width: autoOrient.width,
        height: autoOrient.height,
        ...(ANIMATED_TYPES.has(checked.mimeType) && { details: { frames } }),
      };
    } catch (error) {
      const tooLarge = error instanceof Error && /pixel limit/i.test(error.message);
      return { ok: false, problem: tooLarge ? `has more than ${MAX_PIXELS} pixels` : 'is a damaged image' };
    }
  },
  // Earlier versions didn't count frames.
  isOutgrown: ({ mimeType = '', details }) => ANIMATED_TYPES.has(mimeType) && details === undefined,
  noteOn: ({ bytes = 0, details }) =>
    Number(details?.['frames']) > 1 && bytes > MAX_ANIMATION_BYTES
      ? `is an animation of ${bytes} bytes, so only its first frame is shown (the limit is ${MAX_ANIMATION_BYTES})`
      : undefined,
};

/** Types whose frames are counted. Most PNGs are stills; animated ones are detected as `image/apng`. */
const ANIMATED_TYPES = new Set(['image/gif', 'image/webp', 'image/apng']);

/** Returns the number of frames of an animated PNG, which precedes its image data. */
function pngFrames(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return file.readUInt32BE(at + 8);
    if (type === 'IDAT') break;
  }
  return 1;
}
