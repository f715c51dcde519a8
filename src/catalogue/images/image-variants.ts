import { sitePath } from '../addresses/site-paths.ts';

/** Position of an image on a page, which determines its maximum size. */
export type ImageRole = 'product' | 'banner' | 'figure' | 'thumbnail';

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
  const modern = (['avif', 'webp'] as const).flatMap((format) =>
    widthsFor(original).map((width) => variant(original, width, format)),
  );
  return [...modern, variant(original, Math.min(FALLBACK_WIDTH, original.width), 'jpeg')];
}

/** Returns the path of an animated original, which is served unchanged. Derived files are stills. */
export function animationPath(digest: string, type: string): string {
  return sitePath(`/_images/${digest}.${type}`);
}

/** Widths of JPEGs for shops. */
export const SHOP_WIDTHS = [300, 800, 1600] as const;

/** Returns the JPEGs for shops in the order of `SHOP_WIDTHS`, at most as wide as the original. */
export function shopImages(original: Omit<ImageOriginal, 'role'>): ImageVariant[] {
  return SHOP_WIDTHS.map((width) => variant(original, Math.min(width, original.width), 'jpeg'));
}

function widthsFor({ role, width: available }: ImageOriginal): number[] {
  const ladder = WIDTHS[role];
  const largest = Math.min(available, Math.max(...ladder));
  return [...ladder.filter((width) => width < largest), largest];
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
