import { MAX_SHOWN_DESCRIPTION_LENGTH } from '#analysis/checks/content-checks.ts';
import { languageRules } from '#analysis/languages/index.ts';
import { splitIntoSentences } from '#analysis/text/keyphrase.ts';
import { trimTrailing } from '#contracts/scan-text.ts';
import { tokenizeHtml, htmlText, INLINE_TAGS } from '#contracts/html/html-text.ts';

/** Blocks whose text is unclear on its own or quoted. */
const SKIPPED_BLOCKS = new Set([
  'blockquote',
  'figure',
  'table',
  'pre',
  'ul',
  'ol',
  'dl',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);

/** Returns the beginning of the first paragraph of sanitised HTML, for texts without a written excerpt. */
export function createExcerpt(html: string, language: string): string {
  return shortenText(firstParagraph(html), language);
}

/**
 * Shortens a text to one line. Cuts after the last sentence that fits, or after a word if the first sentence is too
 * long.
 * @param language Language code, whose abbreviations don't end a sentence.
 */
export function shortenText(text: string, language: string, maxLength = MAX_SHOWN_DESCRIPTION_LENGTH): string {
  if (text.length <= maxLength) return text;
  let end = 0;
  // Reads a few more characters to detect the end of the last sentence.
  for (const sentence of splitIntoSentences(text.slice(0, maxLength + 4), languageRules(language))) {
    const next = text.indexOf(sentence, end) + sentence.length;
    if (next > maxLength) break;
    end = next;
  }
  if (end > 0) return text.slice(0, end);
  const room = maxLength - CUT.length;
  const cut = text.lastIndexOf(' ', room);
  // Don't cut surrogate pairs.
  const words = text.slice(0, cut > 0 ? cut : room).replace(/[\uD800-\uDBFF]$/, '');
  return trimTrailing(words, ' \u00A0,;:–—-') + CUT;
}

const CUT = ' …';

/** Falls back to the text of the first block of any kind. */
function firstParagraph(html: string): string {
  let first = '';
  let block: string[] = [];
  let skippedDepth = 0;
  for (const piece of tokenizeHtml(html)) {
    if (piece.kind === 'text' || INLINE_TAGS.has(piece.name) || piece.name === 'br') {
      // A line break separates words but doesn't end a block.
      block.push(piece.source);
      continue;
    }
    const text = htmlText(block.join(''));
    if (text !== '' && skippedDepth === 0) return text;
    first ||= text;
    block = [];
    if (SKIPPED_BLOCKS.has(piece.name)) skippedDepth += piece.kind === 'open' ? 1 : -1;
  }
  return (skippedDepth === 0 && htmlText(block.join(''))) || first;
}
