import type { SnapshotReader } from '#snapshot/index.ts';
import type { ImageAsset } from '#model/entries.ts';

const DIGEST_CHARACTERS = 16;

/** An image as pages use it, or undefined where its bytes were never fetched. */
export function imageAssetOf(
  snapshot: Pick<SnapshotReader, 'asset'>,
  url: string | null | undefined,
  texts: { alt: string; caption?: string },
): ImageAsset | undefined {
  const asset = url ? snapshot.asset(url, 'image') : undefined;
  if (!asset) return undefined;
  const { digest, file, width, height, mimeType } = asset;
  if (!digest || !file || !width || !height || !mimeType) return undefined;
  return {
    digest: digest.slice(0, DIGEST_CHARACTERS),
    width,
    height,
    mimeType,
    alt: texts.alt,
    caption: texts.caption ?? '',
  };
}
