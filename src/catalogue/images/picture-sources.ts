import { animationPath, imageVariants, type ImageFormat, type ImageRole } from './image-variants.ts';
import type { ImageAsset } from '#catalogue/entries/entries.ts';

export interface PictureSources {
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
  const isPlayed = animation !== undefined && role !== 'thumbnail';
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

/** An image with its texts. */
export type CaptionedImage = Pick<ImageAsset, 'digest' | 'width' | 'height' | 'animation' | 'alt' | 'caption'>;
