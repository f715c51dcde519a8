import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageFile, SizedImage } from './make-image-sizes.ts';

/** No camera, so nothing to say: the interface writes numbers it doesn't know as `0`. */
const NO_IMAGE_META = {
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

/**
 * Writes a JPEG and its sizes into a folder, as `<base>.jpg` and `<base>-<width>x<height>.jpg`.
 *
 * @returns what the store keeps of it as `media_details`
 */
export async function storeImage(image: SizedImage, folder: string, base: string): Promise<Record<string, unknown>> {
  await writeFile(join(folder, `${base}.jpg`), image.bytes);
  const sizes: Record<string, unknown> = {};
  for (const [name, size] of Object.entries(image.sizes)) {
    const file = `${base}-${size.width}x${size.height}.jpg`;
    await writeFile(join(folder, file), size.bytes);
    sizes[name] = { file, ...measure(size), mime_type: 'image/jpeg' };
  }
  return { ...measure(image), sizes, image_meta: NO_IMAGE_META };
}

function measure({ width, height, bytes }: ImageFile) {
  return { width, height, filesize: bytes.length };
}
