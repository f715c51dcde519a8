import { makeImageSizes as makeSizes, measureImage, type ImageFile } from '#origin/platform/media/image-sizes.ts';

export type { ImageFile };

export interface SizedImage extends ImageFile {
  /** The smaller ones by name, such as `medium`. */
  sizes: Record<string, ImageFile>;
}

/** A JPEG with the smaller sizes that the publishing interface offers of it. */
export async function makeImageSizes(bytes: Uint8Array): Promise<SizedImage> {
  return { ...(await measureImage(bytes)), bytes, sizes: await makeSizes(bytes, { mimeType: 'image/jpeg' }) };
}
