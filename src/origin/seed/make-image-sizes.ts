import sharp from 'sharp';
import { sizesOf } from '../core/media/image-sizes.ts';

const QUALITY = 82;

export interface ImageFile {
  width: number;
  height: number;
  bytes: Uint8Array;
}

export interface SizedImage extends ImageFile {
  /** The smaller ones by name, such as `medium`. */
  sizes: Record<string, ImageFile>;
}

/** A JPEG with the smaller sizes that the publishing interface offers of it. */
export async function makeImageSizes(bytes: Uint8Array): Promise<SizedImage> {
  const { width, height } = await sharp(bytes).metadata();
  const sizes: SizedImage['sizes'] = {};
  for (const { name, width: widest, height: highest, crop } of sizesOf(width, height)) {
    const box = { width: widest, ...(highest > 0 && { height: highest }) };
    const resized = sharp(bytes).resize({ ...box, fit: crop ? 'cover' : 'inside', withoutEnlargement: true });
    const { data, info } = await resized.jpeg({ quality: QUALITY }).toBuffer({ resolveWithObject: true });
    sizes[name] = { width: info.width, height: info.height, bytes: data };
  }
  return { width, height, bytes, sizes };
}
