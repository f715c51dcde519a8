import type { MediaFile, StoredImageSize } from '#origin/platform/content/read-media-file.ts';

/** The order in which clients are used to find sizes; the store keeps none. */
const SIZE_ORDER = ['medium', 'large', 'thumbnail', 'medium_large', '1536x1536', '2048x2048'];

/** The sizes of an image by name, in their usual order. */
export function orderSizes({ sizes }: MediaFile['details']): [name: string, size: StoredImageSize][] {
  return Object.entries(sizes).toSorted(([a], [b]) => rank(a) - rank(b));
}

function rank(name: string): number {
  const at = SIZE_ORDER.indexOf(name);
  return at < 0 ? SIZE_ORDER.length : at;
}
