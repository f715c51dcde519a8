import { onOneLine } from '../clean-texts.ts';
import { INLINE } from './elements.ts';
import { decodeHtml, htmlPieces } from './html-pieces.ts';

/**
 * The text of sanitised HTML on one line. Blocks, cells and line breaks are parted by a space, so that the end of one
 * and the beginning of the next are two words; `m<sup>2</sup>` stays one.
 */
export function htmlText(html: string): string {
  if (!html.includes('<')) return onOneLine(decodeHtml(html));
  const parts: string[] = [];
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'text') parts.push(piece.source);
    else if (!INLINE.has(piece.name)) parts.push(' ');
  }
  return onOneLine(decodeHtml(parts.join('')));
}
