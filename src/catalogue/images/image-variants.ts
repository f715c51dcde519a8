import { sitePath } from '../addresses/site-paths.ts';
import { hash } from 'node:crypto';
import type { ImageAsset } from '#catalogue/entries/entries.ts';

/** Position of an image on a page, which determines its maximum size. */
export type ImageRole = 'product' | 'banner' | 'figure' | 'thumbnail' | 'row';

export interface ImageOriginal {
  /** First 16 hex characters of the SHA-256 of the original's bytes. */
  digest: string;
  width: number;
  height: number;
  role: ImageRole;
}

export type ImageFormat = 'avif' | 'webp' | 'jpeg';

/** A derived file. Its path identifies it, so several roles may share it. */
export interface ImageVariant {
  /** `/_images/0123456789abcdef-640.avif`, with the base path. */
  path: string;
  width: number;
  height: number;
  format: ImageFormat;
}

/**
 * Widths in device pixels. Roles of the same images share widths, because each is a file to create, cache and deploy.
 */
const WIDTHS: Record<ImageRole, readonly number[]> = {
  row: [160],
  thumbnail: [160, 320, 640],
  product: [320, 640, 1280],
  figure: [480, 720, 1600],
  banner: [720, 1600],
};

/** Width of the JPEG for old browsers and link previews. */
const FALLBACK_WIDTH = 1200;

/**
 * Returns the derived files of an original. AVIF and WebP have the widths of the role, at most that of the original.
 * The JPEG fallback on white comes last. Pages refer to these files, and the build creates exactly these.
 */
export function imageVariants(original: ImageOriginal): ImageVariant[] {
  const ladder = WIDTHS[original.role];
  const largest = Math.min(original.width, Math.max(...ladder));
  const widths = [...ladder.filter((width) => width < largest), largest];
  const modern = (['avif', 'webp'] as const).flatMap((format) =>
    widths.map((width) => variant(original, width, format)),
  );
  return [...modern, variant(original, Math.min(FALLBACK_WIDTH, original.width), 'jpeg')];
}

/** Returns the path of an animated original, which is served unchanged. Derived files are stills. */
export function animationPath(digest: string, type: string): string {
  return sitePath(`/_images/${digest}.${type}`);
}

export const SHOP_WIDTHS = [300, 800, 1600] as const;

/** Returns the JPEGs for shops in the order of `SHOP_WIDTHS`, at most as wide as the original. */
export function shopImages(original: Omit<ImageOriginal, 'role'>): ImageVariant[] {
  return SHOP_WIDTHS.map((width) => variant(original, Math.min(width, original.width), 'jpeg'));
}

function variant(
  { digest, width: fullWidth, height: fullHeight }: Omit<ImageOriginal, 'role'>,
  width: number,
  format: ImageFormat,
) {
  const extension = format === 'jpeg' ? 'jpg' : format;
  return {
    path: sitePath(`/_images/${digest}-${width}.${extension}`),
    width,
    height: Math.max(1, Math.round((fullHeight * width) / fullWidth)),
    format,
  };
}

/** Content of the link preview image of a page. */
export interface PreviewCard {
  site: string;
  /** Text above the title, such as the family. Empty for none. */
  overline: string;
  title: string;
  /** Text below the title, such as the format. Empty for none. */
  line: string;
  /** Digest of the image's original, as in `ImageAsset`. */
  picture?: string | undefined;
  /** Colour of the overline: `#c93a0a`. */
  accent: string;
  /** Files of `brand.font`. Undefined for the default font. */
  font?: readonly string[] | undefined;
}

/** Image size for Open Graph, 1.91 to 1. */
export const PREVIEW_SIZE = { width: 1200, height: 630 };

/** Replaces the GTIN in the path of the site's preview. */
export const SITE_PREVIEW = 'site';

/** Increment it if the same card is rendered differently. */
const DRAWING = 1;

/** Characters available in the site's font. */
const DRAWABLE = /^[\u0020-\u024f\u1e00-\u1eff\u2000-\u2044\u20a0-\u20bf\u2113-\u2215]*$/u;

export function isDrawable({ site, overline, title, line }: PreviewCard): boolean {
  return DRAWABLE.test(site + overline + title + line);
}

/** Returns the path of a preview, with a digest of its content. @param subject A GTIN, or `SITE_PREVIEW`. */
export function previewPath(language: string, subject: string, card: PreviewCard): string {
  const digest = hash('sha256', JSON.stringify([DRAWING, card]), 'hex').slice(0, 16);
  return sitePath(`/_images/preview/${language}/${subject}-${digest}.jpg`);
}

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
/** Named by a digest of its content. */
const PREVIEW_PATH = /\/_images\/preview\/([a-z0-9-]+)\/(\d{13}|site)-[0-9a-f]{16}\.jpg/;
const ALL_PATHS = new RegExp([IMAGE_PATH, ANIMATION_PATH, PREVIEW_PATH].map(({ source }) => source).join('|'), 'g');

/** Parses the path of a derived image. Undefined for other paths. */
export function parseImagePath(path: string): DerivedImage | undefined {
  const [found, digest = '', width, extension] = IMAGE_PATH.exec(path) ?? [];
  if (found !== path) return undefined;
  return { path, digest, width: Number(width), format: extension === 'jpg' ? 'jpeg' : (extension as 'avif' | 'webp') };
}

/** Returns the digest in the path of an animation. Undefined for other paths. */
export function parseAnimationPath(path: string): string | undefined {
  const match = ANIMATION_PATH.exec(path);
  return match?.[0] === path ? match[1] : undefined;
}

/** Returns the distinct paths of all generated images in a text, including previews. */
export function listImagePaths(text: string): string[] {
  return [...new Set(text.match(ALL_PATHS))];
}

/** Data in the path of a preview, `/_images/preview/de-de/9524010000016-0123456789abcdef.jpg`. */
export interface PreviewPath {
  path: string;
  language: string;
  /** A GTIN, or `site`. */
  subject: string;
}

/** Parses the path of a preview. Undefined for other paths. */
export function parsePreviewPath(path: string): PreviewPath | undefined {
  const [found, language = '', subject = ''] = PREVIEW_PATH.exec(path) ?? [];
  return found === path ? { path, language, subject } : undefined;
}

interface PictureSources {
  /** Browsers use the first supported source. Stills have several widths and need `sizes`. */
  sources: { type: string; srcset: string; media?: string; isStill: boolean }[];
  /** Fallback for browsers without modern formats. */
  src: string;
  /** Size of the fallback, which reserves space while the image loads. */
  width: number;
  height: number;
}

export interface PictureOriginal {
  digest: string;
  width: number;
  height: number;
  /** See `ImageAsset.animation`. */
  animation?: string | undefined;
}

/**
 * Returns the sources of a `<picture>`. Animations play unless the visitor prefers reduced motion. Thumbnails are
 * stills.
 */
export function pictureSources(original: PictureOriginal, role: ImageRole): PictureSources {
  const { digest, animation } = original;
  const variants = imageVariants({ ...original, role });
  const fallback = variants.at(-1);
  const isPlayed = animation !== undefined && role !== 'thumbnail' && role !== 'row';
  const stills = (['avif', 'webp'] satisfies ImageFormat[]).map((format) => ({
    type: `image/${format}`,
    srcset: variants
      .filter((variant) => variant.format === format)
      .map(({ path, width }) => `${path} ${width}w`)
      .join(', '),
    ...(isPlayed && { media: '(prefers-reduced-motion: reduce)' }),
    isStill: true,
  }));
  return {
    sources: isPlayed
      ? [...stills, { type: `image/${animation}`, srcset: animationPath(digest, animation), isStill: false }]
      : stills,
    src: fallback?.path ?? '',
    width: fallback?.width ?? original.width,
    height: fallback?.height ?? original.height,
  };
}

/** Returns the file of an image for links: the animation, else the JPEG. */
export function linkedImagePath(original: PictureOriginal): string {
  const { digest, animation } = original;
  return animation === undefined ? pictureSources(original, 'figure').src : animationPath(digest, animation);
}

export type CaptionedImage = Pick<ImageAsset, 'digest' | 'width' | 'height' | 'animation' | 'alt' | 'caption'>;
