import { curlQuotes, type QuoteState } from './curl-quotes.ts';
import { splitHtml } from './split-html.ts';

/** Elements whose text means what it says. */
const LITERAL_ELEMENTS = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt', 'svg', 'math']);

/** Elements after which text begins anew, so that a quote there opens. */
const BREAK = /^\/?(?:p|div|li|ul|ol|h[1-6]|blockquote|td|th|tr|table|figure|figcaption|br|hr|section|article)$/;

/**
 * Typographic signs for typewriter ones: curly quotes, dashes, ellipses, primes, and entities for bare
 * ampersands. Markup, shortcodes and literal text (code, scripts) stay as they are.
 */
export function texturise(html: string): string {
  const literal: string[] = [];
  let quotes: QuoteState = { before: '', isOpen: false };
  let result = '';
  for (const { kind, source, name } of splitHtml(html)) {
    if (kind === 'tag') {
      trackLiteral(literal, name, source);
      if (BREAK.test(name)) quotes = { before: '', isOpen: false };
    }
    if (kind !== 'text' || literal.length > 0) {
      result += source;
      continue;
    }
    const curled = curlQuotes(encodeAmpersands(source), quotes);
    quotes = curled.state;
    result += setSigns(curled.text);
  }
  return result;
}

function trackLiteral(open: string[], name: string, source: string): void {
  if (name.startsWith('/')) {
    if (open.at(-1) === name.slice(1)) open.pop();
  } else if (LITERAL_ELEMENTS.has(name) && !source.endsWith('/>')) open.push(name);
}

function encodeAmpersands(text: string): string {
  return text.replaceAll(/&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi, '&#038;');
}

function setSigns(text: string): string {
  return text
    .replaceAll('---', '&#8212;')
    .replaceAll(/(?<=^|\s)--(?=\s|$)/g, '&#8212;')
    .replaceAll(/(?<!xn)--/g, '&#8211;')
    .replaceAll(/(?<=\s)-(?=\s)/g, '&#8211;')
    .replaceAll('...', '&#8230;')
    .replaceAll(/(?<=\s)\(tm\)/gi, '&#8482;')
    .replaceAll(/x(?<=\b\d[\d.,]*x)(?=\d[\d.,]*\b)/g, '&#215;');
}
