import { animationPath, imageVariants, type ImageFormat, type ImageRole } from './image-variants.ts';

export interface PictureSources {
  /** The first that fits is shown. Stills come in several widths, so that they need `sizes`. */
  sources: { type: string; srcset: string; media?: string; isStill: boolean }[];
  /** For readers without a modern format. */
  src: string;
  /** Of the fallback; with the height it keeps the place free while the image loads. */
  width: number;
  height: number;
}

export interface PictureOriginal {
  digest: string;
  width: number;
  height: number;
  /** As `ImageAsset` has it. */
  animation?: string | undefined;
}

/** An animation plays, unless its visitor prefers less motion. Small images in lists are stills. */
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

/** Path of one file of an image, for links to it: the animation, or else a JPEG of moderate size. */
export function linkedImagePath(original: PictureOriginal): string {
  const { digest, animation } = original;
  return animation === undefined ? pictureSources(original, 'figure').src : animationPath(digest, animation);
}
