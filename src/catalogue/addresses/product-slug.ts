import { asciiSlug } from './ascii-slug.ts';

const MAX_NAME_CHARACTERS = 60;

/**
 * Last part of a product's path: `DIFFRANA Vario 75` -> `diffrana-vario-75-9524010000016`. The GTIN at its end
 * stays when the product is renamed, so that old addresses can be led to the new one by it.
 * @param name With Latin letters: see `romanise`. Others are left out.
 */
export function productSlug(name: string, gtin: string): string {
  const words = asciiSlug(name);
  return words === '' ? gtin : `${shorten(words)}-${gtin}`;
}

/** Cuts between two words where there are any. */
function shorten(slug: string): string {
  if (slug.length <= MAX_NAME_CHARACTERS) return slug;
  const cut = slug.slice(0, MAX_NAME_CHARACTERS + 1);
  const end = cut.lastIndexOf('-');
  return cut.slice(0, end > 0 ? end : MAX_NAME_CHARACTERS);
}
