import type { ImageFormat } from '#catalogue/images/image-variants.ts';

/** Data in the path of a derived image, `/_images/0123456789abcdef-640.avif`. */
export interface DerivedImage {
  path: string;
  /** First 16 hex characters of the SHA-256 of the original. */
  digest: string;
  width: number;
  format: ImageFormat;
}

const IMAGE_PATH = /\/_images\/([0-9a-f]{16})-([1-9]\d{0,4})\.(avif|webp|jpg)/;
/** Animated originals, which are served unchanged. */
const ANIMATION_PATH = /\/_images\/([0-9a-f]{16})\.(?:gif|png|webp)/;
/** Previews (`../previews`), named by a digest of their content. */
const PREVIEW_PATH = /\/_images\/preview\/[a-z0-9-]+\/(?:\d{13}|site)-[0-9a-f]{16}\.jpg/;
const ALL_PATHS = new RegExp([IMAGE_PATH, ANIMATION_PATH, PREVIEW_PATH].map(({ source }) => source).join('|'), 'g');

/** Parses the path of a derived image. Undefined for other paths. */
export function parseImagePath(path: string): DerivedImage | undefined {
  const match = IMAGE_PATH.exec(path);
  return match?.[0] === path ? fromMatch(match) : undefined;
}

/** Returns the digest in the path of an animation. Undefined for other paths. */
export function parseAnimationPath(path: string): string | undefined {
  const match = ANIMATION_PATH.exec(path);
  return match?.[0] === path ? match[1] : undefined;
}

/** Returns all distinct derived images that a built file refers to. */
export function findImagePaths(text: string): DerivedImage[] {
  return listImagePaths(text).flatMap((path) => parseImagePath(path) ?? []);
}

/** Returns the distinct paths of all generated images in a text, including previews. */
export function listImagePaths(text: string): string[] {
  return [...new Set(text.match(ALL_PATHS))];
}

function fromMatch([path, digest = '', width, extension]: RegExpExecArray): DerivedImage {
  return { path, digest, width: Number(width), format: extension === 'jpg' ? 'jpeg' : (extension as 'avif' | 'webp') };
}
