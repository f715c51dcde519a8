const MAX_BYTES = 200;

/**
 * A text as a slug: tags and accents gone, lower case, spaces, dots, slashes and dashes as single dashes, other
 * punctuation dropped, and everything beyond ASCII percent-encoded in lower case.
 */
export function normaliseSlug(text: string): string {
  const plain = decodeOctets(text.replaceAll(/<[^>]*>/g, ''))
    .replaceAll('ß', 's')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/&[a-z\d#]+;/g, '')
    .replaceAll(/[\s./\u2010-\u2015\u00A0]+/g, '-')
    .replaceAll(/[\u0021-\u002C\u003A-\u0040\u005B-\u005E\u0060\u007B-\u00BF\u00D7\u2018-\u203A]/g, '');
  const encoded = [...plain].map(encodeLetter).join('');
  return cut(encoded.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '')).replace(/-$/, '');
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

/** Never cuts through the octets of a letter. */
function cut(slug: string): string {
  if (slug.length <= MAX_BYTES) return slug;
  let kept = slug.slice(0, MAX_BYTES).replace(/%[\da-f]?$/, '');
  while (kept.length > 0) {
    try {
      decodeURIComponent(kept);
      return kept;
    } catch {
      kept = kept.replace(/%[\da-f]{2}$/, '');
    }
  }
  return kept;
}
