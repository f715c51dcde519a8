import { getFieldUnit } from '#contracts/product/index.ts';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import type { OverlayData } from './listed-product.ts';
import { SortimentError } from '#contracts/index.ts';
import { baseLanguage } from '#contracts/localized.ts';
import { divideDecimals, multiplyDecimals, roundDecimal, shiftDecimal } from '../quantities/decimal-arithmetic.ts';
import { SHEET_WIDTH_M } from '../quantities/material-need.ts';

type PriceDisplay = 'none' | 'net' | 'gross';

/** Option `price`: how the site states prices. */
export interface PriceRule {
  /** One value for all languages, or by language. Languages not named show no price. */
  show: PriceDisplay | Readonly<Record<string, PriceDisplay>>;
  /** VAT rates in percent, by language. */
  vat: Readonly<Record<string, number>>;
  /** ISO 4217 code, for all languages or by language. */
  currency: string | Readonly<Record<string, string>>;
}

export type PriceView = { kind: 'hidden' } | { kind: 'on-request' } | StatedPrice;

interface StatedPrice {
  kind: 'amount';
  /** Price of one trade unit with two decimals, `24.90`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  tax: 'net' | 'gross';
  /** VAT rate in percent. Present if the amount includes it. */
  vat?: number;
  unitPrice?: UnitPrice;
}

export interface UnitPrice {
  /** Price of one unit with two decimals, calculated from the displayed price. */
  amount: string;
  /** Quantity of the unit in a trade unit. */
  measure: string;
  unit: string;
  unitCode: string;
}

/** Units of contents, with the units of their unit prices (directive 98/6/EC). */
const PRICED_UNITS: Record<
  NonNullable<OverlayData['content']>['unit'],
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
 * Returns the price that a page shows. The product interface states neither tax nor quantity, so prices are hidden
 * until they are configured. A missing or zero price is "on request", and so is the price of a fallback record in
 * another currency. A gross price requires the VAT rate of the language. Discontinued products have no price.
 * @param content Content of a trade unit from an overlay. The size of liquids doesn't determine it.
 */
export function createPriceView(
  product: Pick<ProductEntry, 'language' | 'price' | 'length' | 'width' | 'area'> &
    Partial<Pick<ProductEntry, 'archived'>>,
  rule: PriceRule,
  language: string,
  content?: OverlayData['content'],
): PriceView {
  const show = priceDisplay(rule, language);
  if (show === 'none' || product.archived) return { kind: 'hidden' };
  const { price } = product;
  const currency = currencyOf(rule, language);
  if (!price || price.value <= 0 || valueIn(rule.currency, product.language) !== currency)
    return { kind: 'on-request' };
  const vat = show === 'gross' ? vatOf(rule, language) : undefined;
  const withVat = vat === undefined ? undefined : multiplyDecimals(price.text, `${100 + vat}`, 6);
  const amount = roundDecimal(withVat === undefined ? price.text : multiplyDecimals(withVat, '0.01', 6), 2);
  // Amounts below half a cent round to zero.
  if (Number(amount) === 0) return { kind: 'on-request' };
  // Divides the displayed price, so that visitors can reproduce the unit price.
  const unitPrice = unitPriceOf(product, content, amount);
  return {
    kind: 'amount',
    amount,
    currency,
    tax: show,
    ...(vat !== undefined && { vat }),
    // Omits a unit price that equals the price.
    ...(unitPrice && unitPrice.amount !== amount && { unitPrice }),
  };
}

/**
 * Calculates the unit price from the content of the overlay, else by the metre for tapes and by the square metre for
 * sheets and boards. Pieces and liquids have none without an overlay.
 */
function unitPriceOf(
  { length, width, area }: Pick<ProductEntry, 'length' | 'width' | 'area'>,
  content: OverlayData['content'],
  price: string,
): UnitPrice | undefined {
  if (content) {
    const { places, ...unit } = PRICED_UNITS[content.unit];
    return perUnit(price, shiftDecimal(content.value.text, places), unit);
  }
  if (!width || !length) return undefined;
  if (area && width.value >= SHEET_WIDTH_M) return perUnit(price, area.text, getFieldUnit('area'));
  return length.value >= 1 ? perUnit(price, length.text, getFieldUnit('length')) : undefined;
}

function perUnit(
  price: string,
  quantity: string,
  { unit = '', unitCode = '' }: { unit?: string; unitCode?: string },
): UnitPrice | undefined {
  const amount = divideDecimals(price, quantity, 2);
  return amount === undefined || Number(amount) === 0
    ? undefined
    : { amount, measure: trimZeros(quantity), unit, unitCode };
}

/** Removes trailing zeros: `25.000` -> `25`. */
function trimZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;
}

/**
 * Returns how prices are shown in a language. `none` if the language isn't configured, or if gross prices lack a VAT
 * rate.
 */
export function priceDisplay(rule: PriceRule, language: string): PriceDisplay {
  const stated = valueIn(rule.show, language) ?? 'none';
  return stated === 'gross' && vatOf(rule, language) === undefined ? 'none' : stated;
}

/** True if the language has a feed for Google Merchant Center, which requires gross prices. */
export function hasMerchantFeed(rule: PriceRule, language: string): boolean {
  return priceDisplay(rule, language) === 'gross';
}

/** Returns the VAT rate in percent. */
export function vatOf({ vat }: PriceRule, language: string): number | undefined {
  return valueIn(vat, language);
}

/**
 * Returns the currency of prices in a language, ISO 4217.
 * @throws SortimentError CONFIG_INVALID if the language has none.
 */
export function currencyOf({ currency }: Pick<PriceRule, 'currency'>, language: string): string {
  const code = valueIn(currency, language);
  if (code !== undefined) return code;
  throw new SortimentError('CONFIG_INVALID', `"price.currency" has no currency for ${language}.`, {
    hint: 'Add one in src/sortiment.config.ts.',
  });
}

/** Returns the value for a language, or for the language without its region. */
function valueIn<Value extends string | number>(
  option: Value | Readonly<Record<string, Value>>,
  language: string,
): Value | undefined {
  return typeof option === 'object' ? (option[language] ?? option[baseLanguage(language)]) : option;
}
