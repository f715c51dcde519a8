import { transliterate } from '../languages/fold-text.ts';

const MAX_NAME_CHARACTERS = 60;

/**
 * Returns the last segment of a product's path: `Vario 75` -> `vario-75-9524010000016`. The GTIN
 * survives a change of name, so earlier URLs can be redirected.
 * @param name Name in Latin letters (see `romanise`). Other letters are omitted.
 */
export function productSlug(name: string, gtin: string): string {
  const words = asciiSlug(name);
  return words === '' ? gtin : `${shorten(words)}-${gtin}`;
}

/** Cuts at a word boundary if there is one. */
function shorten(slug: string): string {
  if (slug.length <= MAX_NAME_CHARACTERS) return slug;
  const cut = slug.slice(0, MAX_NAME_CHARACTERS + 1);
  const end = cut.lastIndexOf('-');
  return cut.slice(0, end > 0 ? end : MAX_NAME_CHARACTERS);
}

const withoutMarks = (text: string) => text.normalize('NFKD').replace(/\p{Mark}/gu, '');
const hyphenate = (text: string) => text.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');

/** Converts a text to a URL segment: `Höchstzugkraft längs/quer` -> `hoechstzugkraft-laengs-quer`. */
export const asciiSlug = (text: string) => hyphenate(withoutMarks(transliterate(text)));

/** Converts a text to a URL segment by removing marks only: `längs` -> `langs`. */
export const plainSlug = (text: string) => hyphenate(withoutMarks(text).toLowerCase());
