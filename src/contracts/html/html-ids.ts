import { htmlPieces } from './html-pieces.ts';

/** What ids in texts of others begin with: none is that of an element of the page. */
export const ID_PREFIX = 'user-content-';

/** Letters, digits and what ids are commonly parted by; anything else would have to be escaped somewhere. */
const OTHER = /[^\p{L}\p{M}\p{N}_.:-]+/gu;

/** What an id is called in a page. */
export function prefixedId(id: string, prefix: string = ID_PREFIX): string {
  const safe = id.replace(OTHER, '-');
  return safe.startsWith(prefix) ? safe : prefix + safe;
}

/** The ids in sanitised HTML, in their order. */
export function htmlIds(html: string): Set<string> {
  const ids = new Set<string>();
  if (!html.includes(' id="')) return ids;
  for (const piece of htmlPieces(html)) {
    const id = piece.kind === 'open' ? piece.attributes.get('id') : undefined;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}
