import { stripTags } from '#contracts/index.ts';
export const MAX_SLUG_BYTES = 200;

/**
 * A text as a slug: tags and accents gone, lower case, spaces, dots, slashes and dashes as single dashes, other
 * punctuation dropped, and everything beyond ASCII percent-encoded in lower case.
 */
export function normaliseSlug(text: string): string {
  const plain = decodeOctets(stripTags(text))
    .replaceAll('ß', 's')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/&[a-z\d#]+;/g, '')
    .replaceAll(/[\s./\u2010-\u2015\u00A0]+/g, '-')
    .replaceAll(/[\u0021-\u002C\u003A-\u0040\u005B-\u005E\u0060\u007B-\u00BF\u00D7\u2018-\u203A]/g, '');
  const encoded = [...plain].map(encodeLetter).join('');
  return cutSlug(encoded.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '')).replace(/-$/, '');
}

/** Octets that are already encoded stay what they stand for. */
function decodeOctets(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (octets) => {
    try {
      return decodeURIComponent(octets);
    } catch {
      return '';
    }
  });
}

function encodeLetter(letter: string): string {
  return /^[\w-]$/.test(letter) ? letter : encodeURIComponent(letter.toWellFormed()).toLowerCase();
}

/** The beginning of a slug; never cuts through the octets of a letter. */
export function cutSlug(slug: string, maxBytes: number = MAX_SLUG_BYTES): string {
  if (slug.length <= maxBytes) return slug;
  let kept = slug.slice(0, maxBytes).replace(/%[\da-f]?$/, '');
  for (;;) {
    try {
      decodeURIComponent(kept);
      return kept;
    } catch {
      const shorter = kept.replace(/%[\da-f]{2}$/, '');
      // What can't be decoded stands further in front: it was there before the cut.
      if (shorter === kept) return kept;
      kept = shorter;
    }
  }
}
