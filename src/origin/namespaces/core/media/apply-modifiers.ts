import type { Sharp } from 'sharp';
import type { ImageModifier } from '#contracts/core/image-modifiers.ts';
import { MAX_PIXELS, openImage, TooManyPixelsError } from './image-work.ts';
import sharp from 'sharp';
import { encodeImage, type ImageFile, type SizedType } from './make-image-sizes.ts';

/** Pixels between two edits: nothing is encoded twice. */
interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

/** Edits a picture in the order of the modifiers, from how EXIF says it is seen. */
export async function applyModifiers(
  bytes: Uint8Array,
  modifiers: readonly ImageModifier[],
  mimeType: SizedType,
): Promise<ImageFile> {
  const hasAlpha = mimeType !== 'image/jpeg';
  const opened = openImage(bytes).autoOrient().toColourspace('srgb');
  let pixels = await readPixels(hasAlpha ? opened.ensureAlpha() : opened.flatten({ background: '#ffffff' }));
  for (const modifier of modifiers) {
    const edited = await applyModifier(pixels, modifier);
    if (edited) pixels = await readPixels(edited);
  }
  return encodeImage(open(pixels), mimeType);
}

/** Nothing when the modifier leaves the picture as it is. */
async function applyModifier(pixels: Pixels, modifier: ImageModifier): Promise<Sharp | undefined> {
  const { width, height } = pixels.raw;
  switch (modifier.type) {
    case 'flip': {
      const { horizontal, vertical } = modifier.args.flip;
      return horizontal || vertical ? open(pixels).flop(horizontal).flip(vertical) : undefined;
    }
    case 'rotate': {
      const angle = ((modifier.args.angle % 360) + 360) % 360;
      if (angle === 0) return undefined;
      if (diagonal(width, height) ** 2 > MAX_PIXELS * 2) throw new TooManyPixelsError();
      const background = pixels.raw.channels === 4 ? { r: 0, g: 0, b: 0, alpha: 0 } : '#ffffff';
      if (angle % 90 === 0) return open(pixels).rotate(angle);
      // A pixel of ground on each side, so that slanted edges blend into it.
      const framed = await readPixels(open(pixels).extend({ top: 1, bottom: 1, left: 1, right: 1, background }));
      return open(framed).rotate(angle, { background });
    }
    case 'crop': {
      const { args } = modifier;
      const part = { width: share(width, args.width), height: share(height, args.height) };
      if (part.width === width && part.height === height) return undefined;
      const left = clamp(share(width, args.left), 0, width - 1);
      const top = clamp(share(height, args.top), 0, height - 1);
      return open(pixels).extract({
        left,
        top,
        width: clamp(part.width, 1, width - left),
        height: clamp(part.height, 1, height - top),
      });
    }
  }
}

function open({ data, raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  if (width * height > MAX_PIXELS) throw new TooManyPixelsError();
  return { data, raw: { width, height, channels } };
}

const share = (of: number, percent: number) => Math.round((of * percent) / 100);
const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const diagonal = (width: number, height: number) => Math.hypot(width, height);
