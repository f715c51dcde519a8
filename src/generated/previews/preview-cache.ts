import { createHash } from 'node:crypto';
import path from 'node:path';
import type { PreviewCard } from '#catalogue/pictures/preview-card.ts';
import { writeOnce } from '#files/index.ts';
import { drawPreview, DRAWER } from './draw-preview.ts';

/** Where the drawing of a card is kept, whoever has made it. */
export function previewFile(imagesFolder: string, place: string): string {
  const key = createHash('sha256')
    .update(JSON.stringify([place, DRAWER]))
    .digest('hex')
    .slice(0, 32);
  return path.join(imagesFolder, 'preview', key.slice(0, 2), `${key}.jpg`);
}

/** Draws a card into its file, unless it is there. @returns Whether it was drawn. */
export async function keepPreview(file: string, card: PreviewCard, original: string | undefined): Promise<boolean> {
  return (await writeOnce(file, () => drawPreview(card, original))) !== undefined;
}
