import { unitOf } from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import type { Additions } from './additions.ts';
import { baseLanguage } from '#contracts/base-language.ts';
import { divideDecimals, multiplyDecimals, roundDecimal, shiftDecimal } from '../quantities/decimal-arithmetic.ts';
import { SHEET_WIDTH_M } from '../quantities/material-need.ts';

type PriceShown = 'none' | 'net' | 'gross';

/** What the operator states about prices: `price` of the configuration. */
export interface PriceRule {
  /** For all languages, or by language; what isn't named shows none. */
  show: PriceShown | Readonly<Record<string, PriceShown>>;
  /** VAT in percent by language. */
  vat: Readonly<Record<string, number>>;
}

export type ShownPrice =
  | { kind: 'hidden' }
  | { kind: 'on-request' }
  | {
      kind: 'amount';
      /** Euro for one trade unit, two decimals: `24.90`. */
      amount: string;
      tax: 'net' | 'gross';
      /** Percent; stated when the amount includes it. */
      vat?: number;
      unitPrice?: UnitPrice;
    };

export interface UnitPrice {
  /** Euro for one unit, two decimals: the shown price, divided. */
  amount: string;
  /** How much of the unit a trade unit holds. */
  measure: string;
  unit: string;
  unitCode: string;
}

/** Units that contents are stated in, and those that prices are compared by (directive 98/6/EC). */
const PRICED_UNITS: Record<
  NonNullable<Additions['content']>['unit'],
  { unit: string; unitCode: string; places: number }
> = {
  kg: { unit: 'kg', unitCode: 'KGM', places: 0 },
  g: { unit: 'kg', unitCode: 'KGM', places: -3 },
  l: { unit: 'l', unitCode: 'LTR', places: 0 },
  ml: { unit: 'l', unitCode: 'LTR', places: -3 },
  m: { unit: 'm', unitCode: 'MTR', places: 0 },
  'm²': { unit: 'm²', unitCode: 'MTK', places: 0 },
  'm³': { unit: 'm³', unitCode: 'MTQ', places: 0 },
};

/**
 * What a page may say about the price. The interface states neither tax nor quantity, so it says nothing until the
 * operator does; an absent or zero price is then "on request", never `0,00 €`. A gross price needs the VAT of the
 * language, without which it can't be stated. What is no longer offered has no price.
 * @param content What a trade unit holds, if that is written down: of liquids, its size doesn't say it.
 */
export function priceOf(
  product: Pick<ProductEntry, 'price' | 'length' | 'width' | 'area'> & Partial<Pick<ProductEntry, 'archived'>>,
  rule: PriceRule,
  language: string,
  content?: Additions['content'],
): ShownPrice {
  const show = shownPrice(rule, language);
  if (show === 'none' || product.archived) return { kind: 'hidden' };
  const { price } = product;
  if (!price || price.value <= 0) return { kind: 'on-request' };
  const withUnit = (shown: StatedPrice): ShownPrice =>
    // Less than half a cent.
    Number(shown.amount) === 0
      ? { kind: 'on-request' }
      : // Whoever divides the price on the page has to get the same.
        withUnitPrice(unitPriceOf(product, content, shown.amount), shown);
  if (show === 'net') return withUnit({ amount: roundDecimal(price.text, 2), tax: 'net' });
  const vat = vatOf(rule, language);
  if (vat === undefined) return { kind: 'hidden' };
  const gross = multiplyDecimals(price.text, `${100 + vat}`, 6);
  const full = multiplyDecimals(gross, '0.01', 6);
  return withUnit({ amount: roundDecimal(full, 2), tax: 'gross', vat });
}

interface StatedPrice {
  amount: string;
  tax: 'net' | 'gross';
  vat?: number;
}

/** A unit price that equals the price is left out. */
function withUnitPrice(unitPrice: UnitPrice | undefined, price: StatedPrice): ShownPrice {
  return { kind: 'amount', ...price, ...(unitPrice && unitPrice.amount !== price.amount && { unitPrice }) };
}

/**
 * By what is written down of the content, else by the metre for tapes, by the square metre for sheets and boards; pieces
 * and liquids have none to derive.
 */
function unitPriceOf(
  { length, width, area }: Pick<ProductEntry, 'length' | 'width' | 'area'>,
  content: Additions['content'],
  price: string,
): UnitPrice | undefined {
  if (content) {
    const { places, ...unit } = PRICED_UNITS[content.unit];
    return perUnit(price, shiftDecimal(content.value.text, places), unit);
  }
  if (!width || !length) return undefined;
  if (area && width.value >= SHEET_WIDTH_M) return perUnit(price, area.text, unitOf('area'));
  return length.value >= 1 ? perUnit(price, length.text, unitOf('length')) : undefined;
}

function perUnit(
  price: string,
  quantity: string,
  { unit = '', unitCode = '' }: { unit?: string; unitCode?: string },
): UnitPrice | undefined {
  const amount = divideDecimals(price, quantity, 2);
  return amount === undefined || Number(amount) === 0
    ? undefined
    : { amount, measure: plain(quantity), unit, unitCode };
}

/** Without zeros that say nothing: `25.000` -> `25`. */
function plain(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;
}

/**
 * How prices are shown in a language. `none` where the configuration says so, doesn't name the language, or asks for
 * gross prices without a VAT rate.
 */
export function shownPrice(rule: PriceRule, language: string): PriceShown {
  const { show } = rule;
  const shown = typeof show === 'string' ? show : (show[language] ?? show[baseLanguage(language)] ?? 'none');
  return shown === 'gross' && vatOf(rule, language) === undefined ? 'none' : shown;
}

/** True if the language gets a feed for Google Merchant Center, where buyers have to see the whole price. */
export function hasMerchantFeed(rule: PriceRule, language: string): boolean {
  return shownPrice(rule, language) === 'gross';
}

function vatOf({ vat }: PriceRule, language: string): number | undefined {
  return vat[language] ?? vat[baseLanguage(language)];
}
