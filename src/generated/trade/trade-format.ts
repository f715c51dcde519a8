import type { Ui } from '#i18n/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import type { Settings } from '#config/index.ts';
import { decodeHtml, escapeXml, INLINE_TAGS, tokenizeHtml } from '#contracts/html/html-text.ts';
import { toSingleLine } from '#contracts/scan-text.ts';
import type { FileContent } from '../generator.ts';

/** Products of one file, by family and item number. */
export interface TradeCatalogue {
  /** Language and number of the part: `de-de`, `de-de-1`. */
  id: string;
  language: string;
  /** Currency of all prices, ISO 4217. */
  currency: string;
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
  return new Date(products.reduce((latest, { changed }) => Math.max(latest, Date.parse(changed)), 0));
}

/** Converts sanitised HTML to plain text with a line per block and a hyphen before list items. */
export function htmlLines(html: string): string {
  let text = '';
  for (const token of tokenizeHtml(html)) {
    // Line breaks between tags have no meaning in HTML.
    if (token.kind === 'text') text += token.source.replaceAll(/\s+/g, ' ');
    else if (!INLINE_TAGS.has(token.name)) text += token.kind === 'open' && token.name === 'li' ? '\n- ' : '\n';
  }
  const lines = decodeHtml(text).split('\n').map(toSingleLine);
  return lines.filter((line) => line !== '' && line !== '-').join('\n');
}

/** Returns the name of a declared property with its norm. */
export function attributeName({ name, norm }: FeedProduct['attributes'][number]): string {
  return norm === '' ? name : `${name} (${norm})`;
}

/** Content of an XML element: its text, or elements by name. `@name` is an attribute, `#text` the text. */
export type XmlContent = string | number | null | undefined | XmlElements;

export interface XmlElements {
  readonly [name: string]: XmlContent | XmlContent[];
}

/** Formats an XML document. Elements without content are omitted. */
export function toXml(root: string, content: XmlContent): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content)}`;
}

function element(name: string, content: XmlContent | XmlContent[]): string {
  if (Array.isArray(content)) return content.map((child) => element(name, child)).join('');
  const members = typeof content === 'object' ? (content ?? {}) : { '#text': content };
  let tag = name;
  let inner = '';
  for (const [key, value] of Object.entries(members))
    if (key === '#text') inner += escapeXml(String(value ?? ''));
    else if (key.startsWith('@')) tag += ` ${key.slice(1)}="${escapeXml(String(value))}"`;
    else inner += element(key, value);
  return inner && `<${tag}>${inner}</${name}>\n`;
}

/** Returns the number of each product: its item number, or the GTIN if that is missing, too long or not unique. */
export function productNumbers(
  { products, report }: Pick<TradeCatalogue, 'products' | 'report'>,
  maxCharacters: number,
  isAllowed: (number: string) => boolean = () => true,
): Map<FeedProduct, string> {
  const gtins = new Set(products.map(({ gtin }) => gtin));
  const byNumber = Map.groupBy(products, ({ item_number }) => item_number);
  const problemOf = ({ item_number, gtin }: FeedProduct) => {
    if (item_number === '') return 'no item number';
    if (item_number.length > maxCharacters) return `an item number of more than ${maxCharacters} characters`;
    // A GTIN is the number of its product, even if another has it as item number.
    if (byNumber.get(item_number)?.length !== 1 || (item_number !== gtin && gtins.has(item_number)))
      return 'the item number of another product';
    return isAllowed(item_number) ? undefined : 'an item number with reserved characters';
  };
  return new Map(
    products.map((product) => {
      const problem = problemOf(product);
      if (problem) report(`${problem}, so the GTIN is used. Correct "item_number" at its source.`, product);
      return [product, problem ? product.gtin : product.item_number];
    }),
  );
}

/** Trade units by their texts `unit.<id>`: code of UN/CEFACT Recommendation 20 or 21 as in BMEcat. */
// prettier-ignore
const TRADE_UNITS = [
  ['aerosol', 'AE'], ['bag', 'BG'], ['sack', 'SA'], ['board', 'BD'], ['bottle', 'BO'], ['box', 'CT'],
  ['carton', 'CT'], ['bucket', 'BJ'], ['bundle', 'BE'], ['can', 'CA'], ['canister', 'CI'], ['cartridge', 'CQ'],
  ['coil', 'CL'], ['drum', 'DR'], ['foil-pack', 'PO'], ['pack', 'PK'], ['package', 'PK'], ['pair', 'PR'],
  ['pallet', 'PF'], ['piece', 'C62'], ['roll', 'RO'], ['set', 'SET'], ['sheet', 'ST'], ['tin', 'TN'], ['tube', 'TU'],
] as const;

/** Returns the code of a trade unit, and reports unknown ones. */
export function unitCode(word: string, product: FeedProduct, { ui, report }: TradeCatalogue): string {
  const lower = word.toLowerCase();
  const known = TRADE_UNITS.find(([id]) => ui.t(`unit.${id}.one`).toLowerCase() === lower);
  const advice = 'so that of pieces is used. Use a word of the texts "unit.…" in content/strings.';
  if (!known && word !== '') report(`the unit "${word}" without a code, ${advice}`, product);
  return known?.[1] ?? 'C62';
}
