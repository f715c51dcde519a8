import { messageOf } from '#contracts/index.ts';
import type { PreviewCard } from '#catalogue/pictures/preview-card.ts';
import { keepPreview } from './preview-cache.ts';

/** Card to render. */
export interface PreviewOrder {
  path: string;
  /** Path of its cached image. */
  file: string;
  card: PreviewCard;
  original: string | undefined;
}

export interface DrawnPreview {
  path: string;
  /** Error message. Undefined on success. */
  reason?: string;
}

/** Renders cards in sequence. */
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
