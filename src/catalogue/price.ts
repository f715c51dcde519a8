import { unitOf } from '../contracts/product/index.ts';
import type { ProductEntry } from '../loaders/entries.ts';
import { baseLanguage } from './base-language.ts';
import { divideDecimals, multiplyDecimals, roundDecimal } from './decimal-arithmetic.ts';

/** What the operator states about prices: `price` of the configuration. */
export interface PriceRule {
  show: 'none' | 'net' | 'gross';
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
  /** Euro for one unit, two decimals. */
  amount: string;
  unit: string;
  unitCode: string;
}

/** From here on a product sold by the metre is a sheet, and its usual unit the square metre. */
const SHEET_WIDTH_M = 0.5;

/**
 * What a page may say about the price. The interface states neither tax nor quantity, so it says nothing until the
 * operator does; an absent or zero price is then "on request", never `0,00 €`. A gross price needs the VAT of the
 * language, without which it can't be stated. What is no longer offered has no price.
 */
export function priceOf(
  product: Pick<ProductEntry, 'price' | 'length' | 'width' | 'area'> & Partial<Pick<ProductEntry, 'archived'>>,
  rule: PriceRule,
  language: string,
): ShownPrice {
  if (rule.show === 'none' || product.archived) return { kind: 'hidden' };
  const { price } = product;
  if (!price || price.value <= 0) return { kind: 'on-request' };
  if (rule.show === 'net')
    return withUnitPrice(product, { amount: roundDecimal(price.text, 2), tax: 'net' }, price.text);
  const vat = vatOf(rule, language);
  if (vat === undefined) return { kind: 'hidden' };
  const gross = multiplyDecimals(price.text, `${100 + vat}`, 6);
  const full = multiplyDecimals(gross, '0.01', 6);
  return withUnitPrice(product, { amount: roundDecimal(full, 2), tax: 'gross', vat }, full);
}

function withUnitPrice(
  product: Pick<ProductEntry, 'length' | 'width' | 'area'>,
  price: { amount: string; tax: 'net' | 'gross'; vat?: number },
  exact: string,
): ShownPrice {
  const unitPrice = unitPriceOf(product, exact);
  const same = unitPrice?.amount === price.amount;
  return { kind: 'amount', ...price, ...(unitPrice && !same && { unitPrice }) };
}

/** By the metre for tapes, by the square metre for sheets and boards; pieces and liquids have none to derive. */
function unitPriceOf(
  { length, width, area }: Pick<ProductEntry, 'length' | 'width' | 'area'>,
  price: string,
): UnitPrice | undefined {
  if (!width || !length) return undefined;
  if (area && width.value >= SHEET_WIDTH_M) return perUnit(price, area.text, 'area');
  return length.value >= 1 ? perUnit(price, length.text, 'length') : undefined;
}

function perUnit(price: string, quantity: string, field: 'area' | 'length'): UnitPrice | undefined {
  const amount = divideDecimals(price, quantity, 2);
  const { unit = '', unitCode = '' } = unitOf(field);
  return amount === undefined || Number(amount) === 0 ? undefined : { amount, unit, unitCode };
}

function vatOf({ vat }: PriceRule, language: string): number | undefined {
  return vat[language] ?? vat[baseLanguage(language)];
}
