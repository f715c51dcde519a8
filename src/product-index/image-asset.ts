import type { SnapshotReader } from '#snapshot/index.ts';
import { MAX_ANIMATION_BYTES } from '#contracts/media-file.ts';
import type { ImageAsset } from '#model/entries.ts';
import { ANIMATIONS } from '#model/image-asset.ts';

const DIGEST_CHARACTERS = 16;

/** Returns an image as used by pages, or undefined if its bytes were never fetched. */
export function toImageAsset(
  snapshot: Pick<SnapshotReader, 'asset'>,
  url: string | null | undefined,
  texts: { alt: string; caption?: string },
): ImageAsset | undefined {
  const asset = url ? snapshot.asset(url, 'image') : undefined;
  if (!asset) return undefined;
  const { digest, file, width, height, mimeType, bytes = 0, details } = asset;
  if (!digest || !file || !width || !height || !mimeType) return undefined;
  const isAnimated = Number(details?.['frames']) > 1 && bytes <= MAX_ANIMATION_BYTES;
  const animation = ANIMATIONS.find((type) => mimeType === `image/${type}`);
  return {
    digest: digest.slice(0, DIGEST_CHARACTERS),
    width,
    height,
    mimeType,
    ...(isAnimated && animation && { animation }),
    alt: texts.alt,
    caption: texts.caption ?? '',
  };
}
