import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_IMAGE_META } from '#origin/namespaces/core/media/image-meta.ts';
import { describeSize, sizeName } from '#origin/namespaces/core/media/name-size.ts';
import type { SizedImage } from './make-image-sizes.ts';

/**
 * Writes a JPEG and its sizes into a folder, as `<base>.jpg` and `<base>-<width>x<height>.jpg`.
 *
 * @returns what the store keeps of it as `media_details`
 */
export async function storeImage(image: SizedImage, folder: string, base: string): Promise<Record<string, unknown>> {
  const name = { base, extension: 'jpg' };
  await writeFile(join(folder, `${base}.jpg`), image.bytes);
  const sizes: Record<string, unknown> = {};
  for (const [key, size] of Object.entries(image.sizes)) {
    await writeFile(join(folder, sizeName(name, size)), size.bytes);
    sizes[key] = describeSize(name, size, 'image/jpeg');
  }
  const { width, height, bytes } = image;
  return { width, height, filesize: bytes.length, sizes, image_meta: NO_IMAGE_META };
}
