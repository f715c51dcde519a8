import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import type { AssetKind } from '../../snapshot/index.ts';

export type CheckedAsset =
  | {
      ok: true;
      mimeType: string;
      extension: string;
      /** In pixels, upright; images only. */
      width: number | undefined;
      height: number | undefined;
    }
  | { ok: false; problem: string };

/** By their first bytes, whatever the server says. SVG isn't among them: it can hold scripts. */
const TYPES: Readonly<Record<AssetKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'],
  document: ['application/pdf'],
};

/** 100 megapixels: beyond any product photo, and well below what a decoder would choke on. */
const MAX_PIXELS = 100_000_000;

/** Tells by its bytes whether a file is what it should be, and measures images. */
export async function checkAsset(bytes: Uint8Array, kind: AssetKind): Promise<CheckedAsset> {
  const type = await fileTypeFromBuffer(bytes);
  const mimeType: string | undefined = type?.mime;
  if (!type || !mimeType || !TYPES[kind].includes(mimeType)) {
    const wanted = kind === 'image' ? 'a PNG, JPEG, WebP, AVIF or GIF image' : 'a PDF';
    return { ok: false, problem: `is not ${wanted}, but ${describeOther(bytes, mimeType)}` };
  }
  const named = { ok: true as const, mimeType, extension: type.ext };
  if (kind === 'document') return { ...named, width: undefined, height: undefined };
  try {
    const { autoOrient } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
    return { ...named, width: autoOrient.width, height: autoOrient.height };
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit/i.test(error.message);
    return { ok: false, problem: tooLarge ? `has more than ${MAX_PIXELS} pixels` : 'is a damaged image' };
  }
}

function describeOther(bytes: Uint8Array, mimeType: string | undefined): string {
  if (bytes.length === 0) return 'empty';
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1').trimStart().toLowerCase();
  if (/^(<\?xml[^]*)?<svg\b/.test(start)) return 'SVG, which is never taken over';
  if (/^<(!doctype html|html)\b/.test(start)) return 'HTML';
  return mimeType ?? 'of an unknown type';
}
