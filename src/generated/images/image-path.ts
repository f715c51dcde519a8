import type { ImageFormat } from '#catalogue/pictures/image-variants.ts';

/** What the path of a derived image says: `/_images/0123456789abcdef-640.avif`. */
export interface DerivedImage {
  path: string;
  /** First 16 hex characters of the SHA-256 of the original. */
  digest: string;
  width: number;
  format: ImageFormat;
}

const IMAGE_PATH = /\/_images\/([0-9a-f]{16})-([1-9]\d{0,4})\.(avif|webp|jpg)/;
/** Animated originals, which are served as they are. */
const ANIMATION_PATH = /\/_images\/([0-9a-f]{16})\.(?:gif|png|webp)/;
/** Of previews (`../previews`), which are named by what they show. */
const PREVIEW_PATH = /\/_images\/preview\/[a-z0-9-]+\/(?:\d{13}|site)-[0-9a-f]{16}\.jpg/;
const ALL_PATHS = new RegExp([IMAGE_PATH, ANIMATION_PATH, PREVIEW_PATH].map(({ source }) => source).join('|'), 'g');

/** Reads a whole path; undefined for anything else. */
export function readImagePath(path: string): DerivedImage | undefined {
  const match = IMAGE_PATH.exec(path);
  return match?.[0] === path ? fromMatch(match) : undefined;
}

/** Digest in the whole path of an animation; undefined for anything else. */
export function readAnimationPath(path: string): string | undefined {
  const match = ANIMATION_PATH.exec(path);
  return match?.[0] === path ? match[1] : undefined;
}

/** Every derived image that a built file refers to, each once. */
export function findImagePaths(text: string): DerivedImage[] {
  return listImagePaths(text).flatMap((path) => readImagePath(path) ?? []);
}

/** Paths of all images that are made for pages, previews among them. */
export function listImagePaths(text: string): string[] {
  return [...new Set(text.match(ALL_PATHS))];
}

function fromMatch([path, digest = '', width, extension]: RegExpExecArray): DerivedImage {
  return { path, digest, width: Number(width), format: extension === 'jpg' ? 'jpeg' : (extension as 'avif' | 'webp') };
}
