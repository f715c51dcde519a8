/**
 * Replaces the spaces of French punctuation by no-break spaces, so that no line starts with a colon. The space is
 * narrow before `;`, `!` and `?`, and of full width before `:` and inside `«` and `»`. No spaces are added: times, URLs
 * and ratios stay unchanged.
 */
export function typeset(text: string): string {
  let result = '';
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(/[;:!?»«]/g)) {
    if (sign === '«') {
      const end = skipSpaces(text, index + 1);
      if (end === index + 1 || end === text.length) continue;
      result += `${text.slice(from, index + 1)}${NO_BREAK}`;
      from = end;
      continue;
    }
    const start = beforeSpaces(text, index, from);
    // A space at the start counts, too, because the preceding text may be in another element.
    if (start === index || !endsWord(text, index)) continue;
    result += `${text.slice(from, start)}${spaceBefore(sign)}`;
    from = index;
  }
  return result + text.slice(from);
}

const NO_BREAK = '\u00a0';
const NARROW_NO_BREAK = '\u202f';
const SPACES = /[\s\u00a0\u202f]/;
const MAY_FOLLOW = /[\s\u00a0\u202f<&)\]»”’"…,.;:!?]/;

function spaceBefore(sign: string): string {
  return sign === ':' || sign === '»' ? NO_BREAK : NARROW_NO_BREAK;
}

/** A sign followed by a letter, digit or slash is not punctuation: ` ?p=1`, ` :root`. */
function endsWord(text: string, index: number): boolean {
  const next = text[index + 1];
  return text[index] === '»' || next === undefined || MAY_FOLLOW.test(next);
}

function beforeSpaces(text: string, end: number, from: number): number {
  let start = end;
  for (;;) {
    if (start > from && SPACES.test(text[start - 1] ?? '')) start -= 1;
    else if (start - ENTITY.length >= from && text.startsWith(ENTITY, start - ENTITY.length)) start -= ENTITY.length;
    else return start;
  }
}

function skipSpaces(text: string, start: number): number {
  let end = start;
  for (;;) {
    if (end < text.length && SPACES.test(text[end] ?? '')) end += 1;
    else if (text.startsWith(ENTITY, end)) end += ENTITY.length;
    else return end;
  }
}

const ENTITY = '&nbsp;';

/** Elements whose content is copied, declared or machine-readable. */
const EXACT = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style', 'svg', 'template', 'textarea', 'time', 'var']);
/** Inline elements: a space before a punctuation mark may be outside of them. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(' '),
);

/** True if texts of a language are typeset. @param lang BCP 47. */
export function isTypeset(lang: string): boolean {
  return /^fr(?:-|$)/i.test(lang);
}

/**
 * Typesets the visible texts of a French page, but no attributes, comments, code or scripts. Elements with
 * `data-exact`, such as declared values, and texts in other languages stay unchanged. Takes a single pass.
 * @param html Output of components: all attribute quotes are closed.
 */
export function typesetHtml(html: string): string {
  const parts: string[] = [];
  /** Position up to which the source has been added to `parts`. */
  let copiedTo = 0;
  let at = 0;
  /** Index of the last text part if it ends with a space and only inline tags have followed. */
  let spaced: number | undefined;
  /** The current exact element, and the nesting depth of its name. */
  let exact: { name: string; depth: number } | undefined;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    const textEnd = start < 0 ? html.length : start;
    if (textEnd > at && !exact) {
      const before = spaced === undefined ? undefined : parts[spaced];
      const sign = before === undefined ? '' : html.slice(at, matchEnd(SIGN_FIRST, html, at));
      if (before !== undefined && spaced !== undefined && sign)
        parts[spaced] = typeset(before + sign).slice(0, -sign.length);
      spaced = undefined;
      const endsWithSpace = isSpace(html, textEnd - 1);
      // Most texts need no change.
      if (endsWithSpace || hasSign(html, at, textEnd)) {
        parts.push(html.slice(copiedTo, at));
        if (endsWithSpace) spaced = parts.length;
        parts.push(typeset(html.slice(at, textEnd)));
        copiedTo = textEnd;
      }
    }
    if (start < 0) break;
    at = endOfTag(html, start);
    const isEnd = html.charCodeAt(start + 1) === SLASH;
    // Most end tags need no handling.
    if (isEnd && !exact && spaced === undefined) continue;
    const name = tagName(html, isEnd ? start + 2 : start + 1);
    if (exact) {
      if (name !== exact.name) continue;
      exact.depth += isEnd ? -1 : 1;
      if (exact.depth === 0) exact = undefined;
      continue;
    }
    if (!INLINE.has(name)) spaced = undefined;
    if (!isEnd && startsExact(name, html, start, at)) exact = { name, depth: 1 };
  }
  parts.push(html.slice(copiedTo));
  return parts.join('');
}

const SIGN_FIRST = /[;:!?»](?=$|[\s<&)\]»”’"…,.;:!?])/y;
/** Attribute values before the end may be quoted. */
const TAG_END = /[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/y;
const SPACE = /\s/;
const SLASH = '/'.charCodeAt(0);
const TAG_NAME = /[a-z][^\s/>]*/iy;

/** The following functions run for hundreds of tags per page. */
function tagName(html: string, start: number): string {
  return html.slice(start, matchEnd(TAG_NAME, html, start)).toLowerCase();
}

/** Returns the end of a sticky match at a position, or the position itself without a match. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function isSpace(html: string, at: number): boolean {
  const code = html.charCodeAt(at);
  return code <= 0x20 || code >= 0xa0 ? SPACE.test(html[at] ?? '') : false;
}

/** True if a text contains punctuation to typeset. */
function hasSign(html: string, start: number, end: number): boolean {
  return matchEnd(NO_SIGNS, html, start) < end;
}

const NO_SIGNS = /[^<;:!?»«]+/y;
/** Elements without contents. */
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

function startsExact(name: string, html: string, start: number, end: number): boolean {
  if (VOID.has(name) || html.startsWith('/>', end - 2)) return false;
  if (EXACT.has(name)) return true;
  // Most tags have no attributes.
  if (end - start <= name.length + 2) return false;
  const tag = html.slice(start, end);
  const lang = tag.includes(' lang="') ? / lang="([^"]*)"/.exec(tag)?.[1] : undefined;
  return (lang !== undefined && !isTypeset(lang)) || (tag.includes(' data-exact') && / data-exact[\s=>]/.test(tag));
}

/** Returns the position after a tag or comment; the end of the text if it isn't closed. */
function endOfTag(html: string, start: number): number {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return end < 0 ? html.length : end + 3;
  }
  const end = matchEnd(TAG_END, html, start + 1);
  return end > start + 1 ? end : html.length;
}
