import { typeset } from './typeset.ts';

/** What stands there as it has to be copied, declared or read by a machine. */
const EXACT = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style', 'svg', 'template', 'textarea', 'time', 'var']);
/** Their contents run on in the line, so that a space before a sign may stand outside of them. */
const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var wbr'.split(' '),
);

/** Whether texts of a language are set. @param lang BCP 47. */
export function isTypeset(lang: string): boolean {
  return /^fr(?:-|$)/i.test(lang);
}

/**
 * Sets the texts of a French page: what a reader sees, and no attribute, comment, code or script. What is marked
 * `data-exact`, such as a declared value, and what is in another language stays as it is. Reads the page once.
 * @param html As components render it: every quote of an attribute is closed.
 */
export function typesetHtml(html: string): string {
  const parts: string[] = [];
  /** What stands before is in the parts. */
  let taken = 0;
  let at = 0;
  /** Place of a text that ends with a space, as long as only inline elements have begun or ended since. */
  let spaced: number | undefined;
  /** The element that isn't set, and how many of its name are open inside of it. */
  let exact: { name: string; depth: number } | undefined;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    const textEnd = start < 0 ? html.length : start;
    if (textEnd > at && !exact) {
      const before = spaced === undefined ? undefined : parts[spaced];
      const sign = before === undefined ? '' : html.slice(at, passAt(SIGN_FIRST, html, at));
      if (before !== undefined && spaced !== undefined && sign)
        parts[spaced] = typeset(before + sign).slice(0, -sign.length);
      spaced = undefined;
      const endsWithSpace = isSpace(html, textEnd - 1);
      // Most texts stay as they are.
      if (endsWithSpace || hasSign(html, at, textEnd)) {
        parts.push(html.slice(taken, at));
        if (endsWithSpace) spaced = parts.length;
        parts.push(typeset(html.slice(at, textEnd)));
        taken = textEnd;
      }
    }
    if (start < 0) break;
    at = endOfTag(html, start);
    const isEnd = html.charCodeAt(start + 1) === SLASH;
    // Most end tags change nothing here.
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
  parts.push(html.slice(taken));
  return parts.join('');
}

const SIGN_FIRST = /[;:!?»](?=$|[\s<&)\]»”’"…,.;:!?])/y;
/** What stands before it may be quoted. */
const TAG_END = /[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/y;
const SPACE = /\s/;
const SLASH = '/'.charCodeAt(0);
const TAG_NAME = /[a-z][^\s/>]*/iy;

/** Called for each of hundreds of tags of a page, as what follows. */
function tagName(html: string, start: number): string {
  return html.slice(start, passAt(TAG_NAME, html, start)).toLowerCase();
}

/** Behind what a sticky expression finds at a place; the place itself where that is nothing. */
function passAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function isSpace(html: string, at: number): boolean {
  const code = html.charCodeAt(at);
  return code <= 0x20 || code >= 0xa0 ? SPACE.test(html[at] ?? '') : false;
}

/** Whether there is anything to set. */
function hasSign(html: string, start: number, end: number): boolean {
  return passAt(NO_SIGNS, html, start) < end;
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
  // Most have no attributes.
  if (end - start <= name.length + 2) return false;
  const tag = html.slice(start, end);
  const lang = tag.includes(' lang="') ? / lang="([^"]*)"/.exec(tag)?.[1] : undefined;
  return (lang !== undefined && !isTypeset(lang)) || (tag.includes(' data-exact') && / data-exact[\s=>]/.test(tag));
}

/** Behind a tag or comment; the end of the text where there is none. */
function endOfTag(html: string, start: number): number {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return end < 0 ? html.length : end + 3;
  }
  const end = passAt(TAG_END, html, start + 1);
  return end > start + 1 ? end : html.length;
}
