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
  let at = 0;
  /** Place of a text that ends with a space, as long as only inline elements have begun or ended since. */
  let spaced: number | undefined;
  /** The element that isn't set, and how many of its name are open inside of it. */
  let exact: { name: string; depth: number } | undefined;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    const text = html.slice(at, start < 0 ? html.length : start);
    if (text !== '') {
      if (exact) parts.push(text);
      else {
        const before = spaced === undefined ? undefined : parts[spaced];
        const sign = SIGN_FIRST.exec(text)?.[0];
        if (before !== undefined && spaced !== undefined && sign) {
          const joined = typeset(before + sign);
          parts[spaced] = joined.slice(0, -sign.length);
        }
        spaced = /\s$/.test(text) ? parts.length : undefined;
        parts.push(typeset(text));
      }
    }
    if (start < 0) break;
    const end = endOfTag(html, start);
    const tag = html.slice(start, end);
    parts.push(tag);
    at = end;
    const [, slash, name = ''] = /^<(\/?)([a-z][^\s/>]*)/i.exec(tag) ?? [];
    if (exact) {
      if (name.toLowerCase() !== exact.name) continue;
      exact.depth += slash ? -1 : 1;
      if (exact.depth === 0) exact = undefined;
      continue;
    }
    if (!INLINE.has(name.toLowerCase())) spaced = undefined;
    if (!slash && startsExact(name.toLowerCase(), tag)) exact = { name: name.toLowerCase(), depth: 1 };
  }
  return parts.join('');
}

const SIGN_FIRST = /^[;:!?»](?=$|[\s<&)\]»”’"…,.;:!?])/;
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

function startsExact(name: string, tag: string): boolean {
  if (VOID.has(name) || tag.endsWith('/>')) return false;
  if (EXACT.has(name)) return true;
  const lang = / lang="([^"]*)"/.exec(tag)?.[1];
  return (lang !== undefined && !isTypeset(lang)) || / data-exact[\s=>]/.test(tag);
}

/** Behind a tag or comment; the end of the text where there is none. */
function endOfTag(html: string, start: number): number {
  if (html.startsWith('<!--', start)) return behind(html.indexOf('-->', start + 4), 3, html);
  let at = start + 1;
  for (;;) {
    const sign = /[>"']/g;
    sign.lastIndex = at;
    const found = sign.exec(html);
    if (!found) return html.length;
    if (found[0] === '>') return found.index + 1;
    at = behind(html.indexOf(found[0], found.index + 1), 1, html);
  }
}

function behind(index: number, length: number, html: string): number {
  return index < 0 ? html.length : index + length;
}
