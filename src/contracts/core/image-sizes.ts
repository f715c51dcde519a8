/** Sizes generated for uploaded images that are larger. */
export const IMAGE_SIZES = [
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'medium_large', width: 768, height: 0, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
] as const satisfies readonly (SizeBox & { name: string })[];

export const IMAGE_SIZE_NAMES = IMAGE_SIZES.map(({ name }) => name);

/** Preview sizes of a document. */
export const PREVIEW_SIZES: readonly string[] = ['thumbnail', 'medium', 'large'];

export type ImageSize = SizeBox & { name: (typeof IMAGE_SIZES)[number]['name'] };

export interface SizeBox {
  width: number;
  /** 0 means unlimited. */
  height: number;
  /** Cropped to exactly this size, around the centre. */
  crop: boolean;
}

export interface ImageDimensions {
  width: number;
  height: number;
}

/** Returns the sizes required for an image. */
export function requiredSizes({ width, height }: ImageDimensions): readonly ImageSize[] {
  return IMAGE_SIZES.filter((size) => width > size.width || (size.height > 0 && height > size.height));
}

/** Fits an image into a size: scaled to its box, or cropped to it; never enlarged. */
export function fitSize({ width, height }: ImageDimensions, size: SizeBox): ImageDimensions {
  const highest = size.height > 0 ? size.height : Infinity;
  if (size.crop) return { width: Math.min(width, size.width), height: Math.min(height, highest) };
  const scale = Math.min(1, size.width / width, highest / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
