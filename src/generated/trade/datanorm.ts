import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { supplierNumbers } from './bmecat.ts';
import { tenderProducts, tenderText } from './tender.ts';
import { lastChange, unitCoder, type ComposeTradeFile, type TradeCatalogue } from './trade-format.ts';

/** Characters per field or text line. */
const MAX = { number: 15, line: 40, textNumber: 8 };

const ARTICLE_FIELDS = 29;

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
  const { settings, report } = catalogue;
  const { site, maker } = settings.options;
  const products = tenderProducts(catalogue);
  const numbers = supplierNumbers({ products, report }, MAX.number, (number) => toLatin(number) === number);
  const codeOf = unitCoder(catalogue);
  const [, zip = '', city = ''] = /^(?:(\S*\d\S*)\s+)?(.+)$/.exec(maker.address.at(-1) ?? '') ?? [];
  const street = maker.address.slice(0, -1).join(', ');
  const address = [maker.name, maker.email, '', street, maker.country ?? '', zip, city];
  const date = lastChange(products).toISOString().slice(0, 10).replaceAll('-', '');
  const header = ['V', '050', 'A', date, 'EUR', site.name, '', '', ...address];
  const textNumbers = new Map<string, FeedProduct>();
  const articles = products.flatMap((product) => {
    const textNumber = textNumberOf(product, textNumbers);
    const names = wrap(product.name);
    if (names.length > 2)
      report(`a name of more than two lines of ${MAX.line} characters, whose rest is only in the long text.`, product);
    const unit = codeOf(product.trade_unit, product);
    const fields = Array.from({ length: ARTICLE_FIELDS }, () => '');
    fields.splice(0, 5, 'A', 'N', numbers.get(product) ?? product.gtin, names[0] ?? '', names[1] ?? '');
    fields.splice(5, 4, unit === 'C62' ? 'PCE' : unit, ...priceFields(product, report));
    fields[18] = product.gtin;
    fields[20] = '1';
    fields[22] = ALL_TEXTS;
    fields[23] = textNumber;
    const lines = wrap(tenderText(product, catalogue));
    return [...lines.map((line, i) => ['T', 'N', textNumber, '1', String(i + 1).padStart(2, '0'), line]), fields];
  });
  const lines = [header.map((field) => toLatin(field).slice(0, MAX.line)), ...articles];
  const records = [...lines, ['E', String(lines.length + 1), '']];
  return toCodePage850(records.map((fields) => `${fields.join(';')};\r\n`).join(''));
};

/** Returns price indicator, price unit and price in cents. Prices with VAT are no list prices of the trade. */
function priceFields(product: FeedProduct, report: TradeCatalogue['report']): string[] {
  const { price, price_tax } = product;
  const cents = price === null || price_tax !== 'net' ? undefined : Number(price.replace('.', ''));
  if (cents !== undefined && cents <= MAX_CENTS) return [LIST_PRICE, '1', String(cents)];
  if (cents !== undefined) report('a price of more than 999999.99 EUR, which is "on request".', product);
  return [PRICE_ON_REQUEST, '1', ''];
}

/** Returns the number of a long text: eight digits of the GTIN, or a serial number if another product has them. */
function textNumberOf(product: FeedProduct, used: Map<string, FeedProduct>): string {
  const digits = product.gtin.slice(-1 - MAX.textNumber, -1);
  const number = used.has(digits) ? `X${String(used.size).padStart(MAX.textNumber - 1, '0')}` : digits;
  used.set(number, product);
  return number;
}

const LINE = new RegExp(`.{1,${MAX.line}}`, 'g');

/** Breaks text into lines between words. Longer words are broken anywhere. */
function wrap(text: string): string[] {
  return toLatin(text)
    .split('\n')
    .flatMap((paragraph) => {
      const lines: string[] = [];
      for (const word of paragraph.split(/\s+/).filter(Boolean)) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= MAX.line)
          lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(...(word.match(LINE) ?? []));
      }
      return lines;
    });
}

/** Characters that the format reserves or the code page lacks. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '-': '–—−‑•~',
    '"': '„“”',
    "'": '‚‘’‹›',
    '(': '[{',
    ')': ']}',
    '/': '|\\',
    ',': ';',
    '...': '…',
    EUR: '€',
    '(TM)': '™',
    '<=': '≤',
    '>=': '≥',
    'ca.': '≈',
    Ohm: 'Ω',
    Lambda: 'λ',
    µ: 'μ',
    OE: 'Œ',
    oe: 'œ',
  }).flatMap(([replacement, characters]) => [...characters].map((character) => [character, replacement] as const)),
);

/** Upper half of code page 850. */
const CODE_PAGE =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0';

const RESERVED = /[^\n\x20-\x3A\x3C-\x5A^-z]/gu;

/** Replaces characters that code page 850 lacks by similar ones, before lines are measured. */
function toLatin(text: string): string {
  return text.replaceAll(RESERVED, replaceCharacter);
}

function replaceCharacter(character: string): string {
  const known = REPLACEMENTS.get(character);
  if (known !== undefined) return known;
  if (/\s/u.test(character)) return ' ';
  if (CODE_PAGE.includes(character)) return character;
  const base = character.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return /^[\x20-\x3A\x3C-\x5A^-z]+$/.test(base) ? base : '?';
}

const BYTES = new Map([...CODE_PAGE].map((character, i) => [character.charCodeAt(0), 0x80 + i]));

function toCodePage850(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    bytes[i] = code < 0x80 ? code : (BYTES.get(code) ?? 0);
  }
  return bytes;
}
