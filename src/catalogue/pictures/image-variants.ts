import { sitePath } from '../addresses/base.ts';

/** Where an image stands, and with that how large it is ever shown. */
export type ImageRole = 'product' | 'banner' | 'figure' | 'thumbnail';

export interface ImageOriginal {
  /** First 16 hex characters of the SHA-256 of the original's bytes. */
  digest: string;
  width: number;
  height: number;
  role: ImageRole;
}

export type ImageFormat = 'avif' | 'webp' | 'jpeg';

/** One derived file. Two roles of the same original may ask for the same file: its path says all that it is. */
export interface ImageVariant {
  /** `/_images/0123456789abcdef-640.avif`, below the folder that the site lies in. */
  path: string;
  width: number;
  height: number;
  format: ImageFormat;
}

/**
 * Widths in CSS px times the density of the screen. Roles of the same pictures share their steps, for every step is
 * a file to make, to keep and to deploy.
 */
const WIDTHS: Record<ImageRole, readonly number[]> = {
  thumbnail: [160, 320, 640],
  product: [320, 640, 1280],
  figure: [480, 720, 1600],
  banner: [720, 1600],
};

/** Readers without a modern format, and those that preview links, get one file of moderate size. */
const FALLBACK_WIDTH = 1200;

/**
 * The files that are made of an original: AVIF and WebP in the widths of its role, never wider than the original,
 * and one JPEG (transparent parts on white) to fall back to, which comes last. Pages refer to exactly these files and
 * the build makes exactly these files.
 */
export function imageVariants(original: ImageOriginal): ImageVariant[] {
  const modern = (['avif', 'webp'] as const).flatMap((format) =>
    widthsFor(original).map((width) => variant(original, width, format)),
  );
  return [...modern, variant(original, Math.min(FALLBACK_WIDTH, original.width), 'jpeg')];
}

/** The original of an animated image, which is served as it is: derived files are stills. */
export function animationPath(digest: string, type: string): string {
  return sitePath(`/_images/${digest}.${type}`);
}

/** Widths that shops ask for, each as a JPEG. */
export const SHOP_WIDTHS = [300, 800, 1600] as const;

/** The files that shops get of an original, never wider than it is, in the order of `SHOP_WIDTHS`. */
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
