import type { Ui } from '#i18n/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import type { Settings } from '#config/index.ts';
import { decodeHtml, INLINE_TAGS, tokenizeHtml } from '#contracts/html/html-text.ts';
import { toSingleLine } from '#contracts/scan-text.ts';
import type { FileContent } from '../generator.ts';

/** Products of one file, by family and item number. */
export interface TradeCatalogue {
  language: string;
  products: readonly FeedProduct[];
  settings: Settings;
  ui: Ui;
  /**
   * Reports a problem with a product. Products with the same problem share one line of the build report.
   * @param problem Predicate and advice: `have no item number: … . Set …`.
   */
  report: (problem: string, product: FeedProduct) => void;
}

/** Composes a file. The result depends only on the catalogue. */
export type ComposeTradeFile = (catalogue: TradeCatalogue) => FileContent | Promise<FileContent>;

/** Converts sanitised HTML to plain text with a line per block and a hyphen before list items. */
export function htmlLines(html: string): string {
  const parts: string[] = [];
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'text') parts.push(toSpaces(token.source));
    else if (!INLINE_TAGS.has(token.name)) parts.push(token.kind === 'open' && token.name === 'li' ? '\n- ' : '\n');
  }
  const lines = decodeHtml(parts.join('')).split('\n').map(toSingleLine);
  return lines.filter((line) => line !== '' && line !== '-').join('\n');
}

/** Line breaks between tags have no meaning in HTML. */
function toSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
