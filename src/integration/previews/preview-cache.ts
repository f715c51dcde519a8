import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PreviewCard } from '../../catalogue/preview-card.ts';
import { drawPreview, DRAWER } from './draw-preview.ts';

/** Where the drawing of a card is kept, whoever has made it. */
export function previewFile(imagesFolder: string, place: string): string {
  const key = createHash('sha256')
    .update(JSON.stringify([place, DRAWER]))
    .digest('hex')
    .slice(0, 32);
  return path.join(imagesFolder, 'preview', key.slice(0, 2), `${key}.jpg`);
}

/** Draws a card into its file, unless it is there. The file appears only when it is whole. @returns Whether it was drawn. */
export async function keepPreview(file: string, card: PreviewCard, original: string | undefined): Promise<boolean> {
  if (existsSync(file)) return false;
  const bytes = await drawPreview(card, original);
  const temporary = `${file}.${randomUUID()}.tmp`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return true;
}
