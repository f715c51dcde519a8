import { PREVIEW_SIZE } from '#catalogue/images/preview-card.ts';
import config from '#sortiment.config.ts';
import type { Preview } from './preview-cards.ts';

/** Preview image of a page for shared links. */
export interface PreviewImage {
  src: string;
  width: number;
  height: number;
  alt: string;
}

/** Returns the preview as an image; undefined if there is none. */
export function sharedImage(preview: Preview | undefined, alt: string): PreviewImage | undefined {
  return config.shareImages && preview ? { src: preview.path, ...PREVIEW_SIZE, alt } : undefined;
}
