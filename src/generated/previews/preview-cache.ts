import { createHash } from 'node:crypto';
import path from 'node:path';
import type { PreviewCard } from '#catalogue/images/preview-card.ts';
import { writeOnce } from '#files/replace-file.ts';
import { drawPreview, RENDERER_VERSION } from './draw-preview.ts';

/** Returns the path of a card's cached image. */
export function previewFile(imagesFolder: string, pathname: string): string {
  const key = createHash('sha256')
    .update(JSON.stringify([pathname, RENDERER_VERSION]))
    .digest('hex')
    .slice(0, 32);
  return path.join(imagesFolder, 'preview', key.slice(0, 2), `${key}.jpg`);
}

/** Renders a card into its cache file unless it exists. @returns True if it was rendered. */
export async function cachePreview(file: string, card: PreviewCard, original: string | undefined): Promise<boolean> {
  return (await writeOnce(file, () => drawPreview(card, original))) !== undefined;
}
