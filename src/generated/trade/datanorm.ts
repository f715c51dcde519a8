import { tenderProducts, tenderText } from './tender.ts';
import { lastChange, productNumbers, unitCode, type ComposeTradeFile } from './trade-format.ts';

/** Characters per field or text line. */
const MAX = { number: 15, line: 40 };

/** Prices have six digits before the decimal point. */
const MAX_CENTS = 99_999_999;

/** Text consists of the two short lines and the long text. */
const ALL_TEXTS = '4';

const LIST_PRICE = '1';
const PRICE_ON_REQUEST = '9';

/**
 * Composes a DATANORM 5 file in code page 850: header (V), long texts (T) and articles (A), and the number of lines (E).
 * Prices are list prices without VAT. Groups and discounts are the agreement of dealer and customer, and missing.
 */
export const composeDatanorm: ComposeTradeFile = (catalogue) => {
  const { currency, settings, report } = catalogue;
  const { site, maker } = settings.options;
  const products = tenderProducts(catalogue);
  const isAllowed = (number: string) => toLatin(number) === number && !number.includes('\n');
  const numbers = productNumbers({ products, report }, MAX.number, isAllowed);
  const [, zip = '', city = ''] = /^(?:(\S*\d\S*)\s+)?(.+)$/.exec(maker.address.at(-1) ?? '') ?? [];
  const street = maker.address.slice(0, -1).join(', ');
  const address = [maker.name, maker.email, '', street, maker.country ?? '', zip, city];
  const date = lastChange(products).toISOString().slice(0, 10).replaceAll('-', '');
  const header = ['V', '050', 'A', date, currency, site.name, '', '', ...address];
  const records = [header.map((field) => toLatin(field).slice(0, MAX.line))];
  for (const product of products) {
    // The GTIN in eight characters.
    const textNumber = Number(product.gtin.slice(0, -1)).toString(36).toUpperCase().padStart(8, '0');
    for (const [i, line] of wrap(tenderText(product, catalogue)).entries())
      records.push(['T', 'N', textNumber, '1', String(i + 1).padStart(2, '0'), line]);
    const [name = '', secondLine = '', rest] = wrap(product.name);
    if (rest !== undefined)
      report(`a name of more than two lines of ${MAX.line} characters, whose rest is only in the long text.`, product);
    // Prices with VAT are no list prices of the trade.
    const cents = product.price_tax === 'net' ? Number(product.price?.replace('.', '')) : NaN;
    if (cents > MAX_CENTS) report(`a price of more than 999999.99 ${currency}, which is "on request".`, product);
    const priceFields = cents <= MAX_CENTS ? [LIST_PRICE, '1', String(cents)] : [PRICE_ON_REQUEST, '1', ''];
    const unit = unitCode(product.trade_unit, product, catalogue);
    const article = ['A', 'N', numbers.get(product) ?? product.gtin, name, secondLine, unit === 'C62' ? 'PCE' : unit];
    const texts = [product.gtin, '', '1', '', ALL_TEXTS, textNumber];
    records.push([...article, ...priceFields, ...blank(9), ...texts, ...blank(5)]);
  }
  records.push(['E', String(records.length + 1), '']);
  const text = records.map((fields) => `${fields.join(';')};\r\n`).join('');
  const bytes = text.replaceAll(/[\u0080-\uFFFF]/g, (letter) => String.fromCharCode(0x80 + CODE_PAGE.indexOf(letter)));
  return Buffer.from(bytes, 'latin1');
};

const blank = (count: number): string[] => Array.from({ length: count }, () => '');

/** At most 40 characters, which start and end with a word, or the start of a longer word. */
const LINE = /\S(?:.{0,38}\S)?(?!\S)|\S{40}/g;

/** Breaks text into lines between words. Longer words are broken anywhere. */
const wrap = (text: string): string[] => toLatin(text).replaceAll(/ +/g, ' ').match(LINE) ?? [];

/** Characters that the format reserves or the code page lacks. */
// prettier-ignore
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '–': '-', '—': '-', '−': '-', '‑': '-', '•': '-', '~': '-', '„': '"', '“': '"', '”': '"', '‚': "'", '‘': "'",
  '’': "'", '‹': "'", '›': "'", '[': '(', '{': '(', ']': ')', '}': ')', '|': '/', '\\': '/', ';': ',', '€': 'EUR',
  '™': '(TM)', '≤': '<=', '≥': '>=', '≈': 'ca.', Ω: 'Ohm', λ: 'Lambda', μ: 'µ', Œ: 'OE', œ: 'oe',
};

/** Upper half of code page 850. */
const CODE_PAGE =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

const RESERVED = /[^\n\x20-\x3A\x3C-\x5A^-z]/gu;

/** Replaces characters that code page 850 lacks by similar ones, before lines are measured. */
function toLatin(text: string): string {
  return text.replaceAll(RESERVED, (character) => {
    const known = REPLACEMENTS[character];
    if (known !== undefined) return known;
    if (/\s/u.test(character)) return ' ';
    if (CODE_PAGE.includes(character)) return character;
    const base = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
    return base === '' || base.match(RESERVED) ? '?' : base;
  });
}
