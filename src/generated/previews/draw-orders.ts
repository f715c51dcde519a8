import { messageOf } from '#contracts/index.ts';
import type { PreviewCard } from '#catalogue/pictures/preview-card.ts';
import { keepPreview } from './preview-cache.ts';

/** A card that has to be drawn. */
export interface PreviewOrder {
  path: string;
  /** Where its drawing is kept. */
  file: string;
  card: PreviewCard;
  original: string | undefined;
}

export interface DrawnPreview {
  path: string;
  /** What went wrong, if it did. */
  reason?: string;
}

/** One after the other. */
export async function drawOrders(orders: readonly PreviewOrder[]): Promise<DrawnPreview[]> {
  const drawn: DrawnPreview[] = [];
  for (const { path, file, card, original } of orders) {
    try {
      await keepPreview(file, card, original);
      drawn.push({ path });
    } catch (error) {
      drawn.push({ path, reason: messageOf(error) });
    }
  }
  return drawn;
}
