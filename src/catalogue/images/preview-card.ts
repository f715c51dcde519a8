import { hash } from 'node:crypto';
import { sitePath } from '../addresses/site-paths.ts';

/** Content of the link preview image of a page. */
export interface PreviewCard {
  /** Name of the site. */
  site: string;
  /** Text above the title, such as the family. Empty for none. */
  overline: string;
  title: string;
  /** Text below the title, such as the format. Empty for none. */
  line: string;
  /** Digest of the image's original, as in `ImageAsset`. */
  picture?: string | undefined;
}

/** Image size for Open Graph, 1.91 to 1. */
export const PREVIEW_SIZE = { width: 1200, height: 630 };

/** Replaces the GTIN in the path of the site's preview. */
export const SITE_PREVIEW = 'site';

/** Increment it if the same card is rendered differently. */
const DRAWING = 1;

/** Characters available in the site's font. */
const DRAWABLE = /^[\u0020-\u024f\u1e00-\u1eff\u2000-\u2044\u20a0-\u20bf\u2113-\u2215]*$/u;

export function isDrawable({ site, overline, title, line }: PreviewCard): boolean {
  return DRAWABLE.test(site + overline + title + line);
}

/** Returns the path of a preview, with a digest of its content. @param subject A GTIN, or `SITE_PREVIEW`. */
export function previewPath(language: string, subject: string, card: PreviewCard): string {
  const digest = hash('sha256', JSON.stringify([DRAWING, card]), 'hex').slice(0, 16);
  return sitePath(`/_images/preview/${language}/${subject}-${digest}.jpg`);
}
