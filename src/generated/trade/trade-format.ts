import type { Ui } from '#i18n/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import type { Settings } from '#config/index.ts';
import { shorten } from '#catalogue/languages/fold-text.ts';
import { decodeHtml, escapeXml, INLINE_TAGS, tokenizeHtml } from '#contracts/html/html-text.ts';
import { toSingleLine } from '#contracts/scan-text.ts';
import type { FileContent } from '../generator.ts';

/** Products of one file, by family and item number. */
export interface TradeCatalogue {
  /** Language and number of the part: `de-de`, `de-de-1`. */
  id: string;
  language: string;
  products: readonly FeedProduct[];
  settings: Settings;
  ui: Ui;
  /**
   * Reports a problem with a product. Products with the same problem share one line of the build report.
   * @param problem Noun phrase and advice: `no item number, so the GTIN is used. Set …`.
   */
  report: (problem: string, product: FeedProduct) => void;
}

/** Composes a file. The result depends only on the catalogue. */
export type ComposeTradeFile = (catalogue: TradeCatalogue) => FileContent | Promise<FileContent>;

/** Returns the date of the last change of any product, so that files without changes stay the same. */
export function lastChange(products: readonly FeedProduct[]): Date {
  return products.reduce(
    (latest, { changed }) => (new Date(changed) > latest ? new Date(changed) : latest),
    new Date(0),
  );
}

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

/** Characters that `escapeXml` changes. It takes longer than the test. */
const SPECIAL = /[^\t\n\r -\uFFFD]|[&<>"\uD800-\uDFFF]/;

/** Formats an XML element. Texts are escaped, children joined. Elements without content are omitted. */
export function element(name: string, content: string | readonly string[], attributes = ''): string {
  const inner = typeof content !== 'string' ? content.join('') : SPECIAL.test(content) ? escapeXml(content) : content;
  return inner === '' ? '' : `<${name}${attributes}>${inner}</${name}>\n`;
}

/** Returns the texts with a limited number of characters and reports longer ones. */
export function limiter(product: FeedProduct, report: TradeCatalogue['report']) {
  return (text: string, maxCharacters: number, what: string): string => {
    const shortened = shorten(text, maxCharacters);
    if (shortened !== text)
      report(
        `a ${what} of more than ${maxCharacters} characters, which is shortened. Shorten it at its source.`,
        product,
      );
    return shortened;
  };
}

/** Trade units by their texts `unit.<id>`: code of UN/CEFACT Recommendation 20 or 21 as in BMEcat. */
// prettier-ignore
const TRADE_UNITS = [
  ['aerosol', 'AE'], ['bag', 'BG'], ['sack', 'SA'], ['board', 'BD'], ['bottle', 'BO'],
  ['box', 'CT'], ['carton', 'CT'], ['bucket', 'BJ'], ['bundle', 'BE'], ['can', 'CA'],
  ['cartridge', 'CQ'], ['coil', 'CL'], ['drum', 'DR'], ['foil-pack', 'PO'], ['pack', 'PK'],
  ['package', 'PK'], ['pair', 'PR'], ['pallet', 'PF'], ['piece', 'C62'], ['roll', 'RO'],
  ['set', 'SET'], ['sheet', 'ST'], ['tin', 'TN'], ['tube', 'TU'],
] as const;

/** Returns the code of a trade unit, and reports unknown ones. */
export function unitCoder({ ui, report }: TradeCatalogue): (word: string, product: FeedProduct) => string {
  const codes = new Map<string, string>(TRADE_UNITS.map(([id, code]) => [ui.t(`unit.${id}.one`).toLowerCase(), code]));
  return (word, product) => {
    const code = codes.get(word.toLowerCase());
    if (code === undefined && word !== '')
      report(
        `the unit "${word}" without a code, so that of pieces is used. Use a word of the texts "unit.…" in content/strings.`,
        product,
      );
    return code ?? 'C62';
  };
}
