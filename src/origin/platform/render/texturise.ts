import { tagEndFinder } from '#contracts/scan-text.ts';

/** Matches the beginning of a tag or comment, and complete shortcodes. */
const MARKUP = /<!--|<\/?[a-z]|\[\/?[a-z][\w-]*(?:\s[^[\]]*)?\]/gi;

/** Contractions that begin with an apostrophe. */
const CONTRACTION = /^'(?:tain|twere|twas|tis|twill|til|bout|nuff|round|cause|em)\b/i;

const QUOTES = /``|''|["']/g;

/** Elements whose text must not change. */
const LITERAL_ELEMENTS = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt', 'svg', 'math']);

/** Elements after which a quotation mark is an opening one. */
const BREAK = /^\/?(?:p|div|li|ul|ol|h[1-6]|blockquote|td|th|tr|table|figure|figcaption|br|hr|section|article)$/;

/**
 * Replaces typewriter characters: curly quotes, dashes, ellipses, primes, and entities for ampersands. Markup,
 * shortcodes and literal text (code, scripts) are preserved.
 */
export function texturise(html: string): string {
  const literal: string[] = [];
  let quotes: QuoteState = { before: '', isOpen: false };
  let result = '';
  for (const { source, isText, tag } of splitHtml(html)) {
    if (LITERAL_ELEMENTS.has(tag) && !source.endsWith('/>')) literal.push(tag);
    else if (tag.startsWith('/') && literal.at(-1) === tag.slice(1)) literal.pop();
    if (BREAK.test(tag)) quotes = { before: '', isOpen: false };
    if (!isText || literal.length > 0) {
      result += source;
      continue;
    }
    const encoded = source.replaceAll(/&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&#038;');
    const curled = curlQuotes(encoded, quotes);
    quotes = curled.state;
    result += curled.text
      .replaceAll('---', '&#8212;')
      .replaceAll(/(?<=^|\s)--(?=\s|$)/g, '&#8212;')
      .replaceAll(/(?<!xn)--/g, '&#8211;')
      .replaceAll(/(?<=\s)-(?=\s)/g, '&#8211;')
      .replaceAll('...', '&#8230;')
      .replaceAll(/(?<=\s)\(tm\)/gi, '&#8482;')
      .replaceAll(/x(?<=\b\d[\d.,]*x)(?=\d[\d.,]*\b)/g, '&#215;');
  }
  return result;
}

/** State of quotes between text chunks. */
interface QuoteState {
  /** Previous character, empty at the beginning. */
  before: string;
  /** True inside a double quotation. */
  isOpen: boolean;
}

/** Replaces typewriter quotes by curly quotes, apostrophes, and primes after numbers. */
function curlQuotes(text: string, state: QuoteState): { text: string; state: QuoteState } {
  let { isOpen } = state;
  const curled = text.replaceAll(QUOTES, (sign, at: number) => {
    const previous = at === 0 ? state.before : text.charAt(at - 1);
    const rest = text.slice(at);
    const next = text.charAt(at + sign.length);
    if (sign === '``') return '&#8220;';
    if (sign === "''") return '&#8221;';
    const isBehindNumber = /\d/.test(previous) && !/[a-z]/i.test(next);
    const opens = (previous === '' || /[\s([{<"'\u2013\u2014-]/.test(previous)) && !/\s/.test(next);
    if (sign === "'") {
      if (isBehindNumber && !isOpen) return '&#8242;';
      const isApostrophe = CONTRACTION.test(rest) || /^'\d\d(?:s|\W|$)/.test(rest);
      return opens && !isApostrophe ? '&#8216;' : '&#8217;';
    }
    if (isBehindNumber && !isOpen) return '&#8243;';
    isOpen = opens;
    return opens ? '&#8220;' : '&#8221;';
  });
  return { text: curled, state: { before: text.at(-1) ?? state.before, isOpen } };
}

/** Markup, or the text between. */
interface HtmlPiece {
  source: string;
  isText: boolean;
  /** Name of a tag in lower case; closing tags have a leading slash. Empty for other pieces. */
  tag: string;
}

/** Splits HTML into tags, comments, shortcodes and text. An unclosed comment extends to the end. */
function* splitHtml(html: string): Generator<HtmlPiece> {
  const tagEnd = tagEndFinder(html);
  let end = 0;
  const next = new RegExp(MARKUP);
  for (let found = next.exec(html); found; found = next.exec(html)) {
    const { 0: opening, index } = found;
    let markupEnd: number | undefined = index + opening.length;
    if (opening === '<!--') {
      const closing = html.indexOf('-->', markupEnd);
      markupEnd = closing < 0 ? html.length : closing + 3;
    } else if (!opening.startsWith('[')) markupEnd = tagEnd(index);
    // Text that only looks like a tag.
    if (markupEnd === undefined) continue;
    if (index > end) yield { source: html.slice(end, index), isText: true, tag: '' };
    const source = html.slice(index, markupEnd);
    const [, tag = ''] = /^<(\/?[a-z][\w-]*)/i.exec(source) ?? [];
    yield { source, isText: false, tag: tag.toLowerCase() };
    end = markupEnd;
    next.lastIndex = end;
  }
  if (end < html.length) yield { source: html.slice(end), isText: true, tag: '' };
}
