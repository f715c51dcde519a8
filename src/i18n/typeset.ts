const NO_BREAK = '\u00a0';
const NARROW_NO_BREAK = '\u202f';

/**
 * Spaces after `«`, other spaces, and a sign after them. A sign followed by a letter, digit or slash is not
 * punctuation: ` ?p=1`, ` :root`.
 */
const SPACES = /«(?:\s|&nbsp;)+(?!\s|&nbsp;|$)|(?:\s|&nbsp;)+(?:»|[;:!?](?=$|[\s<&)\]»”’"…,.;:!?]))?/g;

/**
 * Replaces the spaces of French punctuation by no-break spaces, so that no line starts with a colon. The space is
 * narrow before `;`, `!` and `?`, and of full width before `:` and inside `«` and `»`. No spaces are added: times, URLs
 * and ratios stay unchanged.
 */
export function typeset(text: string): string {
  if (!/[;:!?»«]/.test(text)) return text;
  return text.replaceAll(SPACES, (found) => {
    if (found.startsWith('«')) return `«${NO_BREAK}`;
    const sign = found.endsWith('&nbsp;') ? '' : found.slice(-1);
    if (/[:»]/.test(sign)) return NO_BREAK + sign;
    return /[;!?]/.test(sign) ? NARROW_NO_BREAK + sign : found;
  });
}

/** Elements whose content is copied, declared or machine-readable. */
const EXACT = /^(?:code|kbd|pre|samp|script|style|svg|template|textarea|time|var)$/;
/** Inline elements: a space before a punctuation mark may be outside of them. */
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)$/;
/** Elements without contents. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** True if texts of a language are typeset. @param lang BCP 47. */
export function isTypeset(lang: string): boolean {
  return /^fr(?:-|$)/i.test(lang);
}

/** Comments, tags with quoted values, the rest of a text after an unclosed tag, and texts. */
const PIECES =
  /<!--[^]*?(?:-->|$)|<(\/?)(?:([a-z][^\s/>"']*)(?![^\s/>"']))?[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>|<[^]*|[^<]+/gi;

/**
 * Typesets the visible texts of a French page, but no attributes, comments, code or scripts. Elements with
 * `data-exact`, such as declared values, and texts in other languages stay unchanged. Takes a single pass.
 * @param html Output of components: all attribute quotes are closed.
 */
export function typesetHtml(html: string): string {
  const parts: string[] = [];
  /** Index of the last text if it ends with a space and only inline tags have followed. */
  let spaced: number | undefined;
  /** The current exact element, and the nesting depth of its name. */
  let exact: { name: string; depth: number } | undefined;
  for (const [piece, slash, tagName = ''] of html.matchAll(PIECES)) {
    const name = tagName.toLowerCase();
    if (exact) {
      if (name === exact.name) exact.depth += slash ? -1 : 1;
      if (exact.depth === 0) exact = undefined;
      parts.push(piece);
    } else if (piece.startsWith('<')) {
      if (!INLINE.test(name)) spaced = undefined;
      if (!slash && startsExact(name, piece)) exact = { name, depth: 1 };
      parts.push(piece);
    } else {
      const [sign] = /^[;:!?»](?=$|[\s<&)\]»”’"…,.;:!?])/.exec(piece) ?? [];
      const before = sign && spaced !== undefined ? parts[spaced] : undefined;
      if (before && spaced !== undefined) parts[spaced] = typeset(before + sign).slice(0, -1);
      spaced = /\s$/.test(piece) ? parts.length : undefined;
      parts.push(typeset(piece));
    }
  }
  return parts.join('');
}

function startsExact(name: string, tag: string): boolean {
  if (name === '' || VOID.test(name) || tag.endsWith('/>')) return false;
  const lang = / lang="([^"]*)"/.exec(tag)?.[1];
  return EXACT.test(name) || (lang !== undefined && !isTypeset(lang)) || / data-exact[\s=>]/.test(tag);
}
