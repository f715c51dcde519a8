import type { FileName } from './clean-file-name.ts';
import type { ImageFile } from './make-image-sizes.ts';
import type { StoredImageSize } from '#origin/platform/content/read-media-file.ts';

/** `roof-300x200.jpg` */
export function sizeName(
  { base, extension }: FileName,
  { width, height }: Pick<ImageFile, 'width' | 'height'>,
): string {
  return `${base}-${width}x${height}.${extension}`;
}

/** What the store keeps of a size. */
export function describeSize(name: FileName, size: ImageFile, mimeType: string): StoredImageSize {
  const { width, height, bytes } = size;
  return { file: sizeName(name, size), width, height, filesize: bytes.length, mime_type: mimeType };
}
