import { checkType, type AssetKind } from '../asset-kind.ts';

/** Without SVG, which can contain scripts. */
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'];
const WHAT = 'a PNG, JPEG, WebP, AVIF or GIF image';

/** 100 megapixels: more than any product photo, and far less than a decoder can handle. */
const MAX_PIXELS = 100_000_000;

/** Measured in pixels, upright. */
export const IMAGE: AssetKind = {
  kind: 'image',
  what: WHAT,
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1',
  check: async (bytes) => {
    const checked = await checkType(bytes, WHAT, TYPES);
    if (!checked.ok) return checked;
    // Loaded only where it is needed: most runs fetch no picture.
    const { default: sharp } = await import('sharp');
    try {
      const { autoOrient } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
      return { ...checked, width: autoOrient.width, height: autoOrient.height };
    } catch (error) {
      const tooLarge = error instanceof Error && /pixel limit/i.test(error.message);
      return { ok: false, problem: tooLarge ? `has more than ${MAX_PIXELS} pixels` : 'is a damaged image' };
    }
  },
};
