import { hash } from 'node:crypto';
import { sitePath } from '../addresses/base.ts';

/** What the picture of a page for link previews shows. */
export interface PreviewCard {
  /** Name of the site. */
  site: string;
  /** Above the title, such as the family; empty for none. */
  overline: string;
  title: string;
  /** Below it, such as the format; empty for none. */
  line: string;
  /** Digest of the picture's original, as `ImageAsset` has it. */
  picture?: string | undefined;
}

/** Of the file; what previews ask for (Open Graph, 1.91 to 1). */
export const PREVIEW_SIZE = { width: 1200, height: 630 };

/** What stands for the site itself where the path has a GTIN. */
export const SITE_PREVIEW = 'site';

/** Counted up whenever another drawing is made of the same card. */
const DRAWING = 1;

/** Letters that the site's font has: a text in another script would be a row of boxes. */
const DRAWABLE = /^[\u0020-\u024f\u1e00-\u1eff\u2000-\u2044\u20a0-\u20bf\u2113-\u2215]*$/u;

export function isDrawable({ site, overline, title, line }: PreviewCard): boolean {
  return DRAWABLE.test(site + overline + title + line);
}

/** Path whose name says all that it shows. @param subject A GTIN, or `SITE_PREVIEW`. */
export function previewPath(language: string, subject: string, card: PreviewCard): string {
  const digest = hash('sha256', JSON.stringify([DRAWING, card]), 'hex').slice(0, 16);
  return sitePath(`/_images/preview/${language}/${subject}-${digest}.jpg`);
}
