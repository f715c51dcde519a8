import { imageVariants, type ImageFormat, type ImageRole } from './image-variants.ts';

export interface PictureSources {
  /** Best format first. */
  sources: { type: string; srcset: string }[];
  /** For readers without a modern format. */
  src: string;
  /** Of the fallback; with the height it keeps the place free while the image loads. */
  width: number;
  height: number;
}

/** What a `<picture>` needs of an original. */
export function pictureSources(
  original: { digest: string; width: number; height: number },
  role: ImageRole,
): PictureSources {
  const variants = imageVariants({ ...original, role });
  const fallback = variants.at(-1);
  return {
    sources: (['avif', 'webp'] satisfies ImageFormat[]).map((format) => ({
      type: `image/${format}`,
      srcset: variants
        .filter((variant) => variant.format === format)
        .map(({ path, width }) => `${path} ${width}w`)
        .join(', '),
    })),
    src: fallback?.path ?? '',
    width: fallback?.width ?? original.width,
    height: fallback?.height ?? original.height,
  };
}
