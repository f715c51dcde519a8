import { getErrorMessage } from '#contracts/index.ts';
import type { PreviewCard } from '#catalogue/images/image-variants.ts';
import { cachePreview } from './draw-preview.ts';

/** Card to render. */
export interface PreviewTask {
  path: string;
  /** Path of its cached image. */
  file: string;
  card: PreviewCard;
  original: string | undefined;
}

export interface PreviewResult {
  path: string;
  /** Error message. Undefined on success. */
  reason?: string;
}

/** Renders cards in sequence. */
export async function drawPreviews(orders: readonly PreviewTask[]): Promise<PreviewResult[]> {
  const drawn: PreviewResult[] = [];
  for (const { path, file, card, original } of orders) {
    try {
      await cachePreview(file, card, original);
      drawn.push({ path });
    } catch (error) {
      drawn.push({ path, reason: getErrorMessage(error) });
    }
  }
  return drawn;
}
