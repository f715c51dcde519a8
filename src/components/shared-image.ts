import { PREVIEW_SIZE } from '#catalogue/pictures/preview-card.ts';
import config from '#sortiment.config.ts';
import type { Preview } from './preview-cards.ts';

/** A picture that others show of a page when it is linked. */
export interface PreviewImage {
  src: string;
  width: number;
  height: number;
  alt: string;
}

/** The preview as a picture; undefined where none is to be drawn. */
export function sharedImage(preview: Preview | undefined, alt: string): PreviewImage | undefined {
  return config.shareImages && preview ? { src: preview.path, ...PREVIEW_SIZE, alt } : undefined;
}
