import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideDecimals } from '../quantities/decimal-arithmetic.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { createPriceView, currencyOf, type PriceRule } from './price.ts';

const decimal = (text: string) => ({ text, value: Number(text) });
const rule = (changes: Partial<PriceRule> = {}): PriceRule => ({
  show: 'net',
  vat: {},
  currency: 'EUR',
  ...changes,
});
const membrane = createProductEntry();
const tape = createProductEntry({
  price: decimal('24.90'),
  length: decimal('25'),
  width: decimal('0.06'),
  area: decimal('1.5'),
});
const piece = createProductEntry({
  price: decimal('2.35'),
  length: decimal('0.145'),
  width: decimal('0.145'),
  area: decimal('0.021'),
});

describe('priceOf', () => {
  it('says nothing until the operator states what prices are', () => {
    expect(createPriceView(membrane, rule({ show: 'none' }), 'de-de')).toEqual({ kind: 'hidden' });
  });

  it.each([undefined, decimal('0'), decimal('0.00'), decimal('0.004')])(
    'never shows an absent price or a zero',
    (price) => {
      expect(createPriceView(createProductEntry({ price }), rule(), 'de-de')).toEqual({ kind: 'on-request' });
    },
  );

  it('shows the net price with two decimals and the price of a square metre', () => {
    expect(createPriceView(membrane, rule(), 'de-de')).toEqual({
      kind: 'amount',
      amount: '142.50',
      currency: 'EUR',
      tax: 'net',
      unitPrice: { amount: '1.90', measure: '75', unit: 'm²', unitCode: 'MTK' },
    });
  });

  it('gives tapes by the metre and pieces by no unit', () => {
    expect(createPriceView(tape, rule(), 'de-de')).toMatchObject({ unitPrice: { amount: '1.00', unit: 'm' } });
    expect(createPriceView(piece, rule(), 'de-de')).toEqual({
      kind: 'amount',
      amount: '2.35',
      currency: 'EUR',
      tax: 'net',
    });
  });

  it('adds the VAT of the language, or of the language without its region, once and exactly', () => {
    const gross = rule({ show: 'gross', vat: { de: 19, 'fr-fr': 5.5 } });
    expect(createPriceView(tape, gross, 'de-de')).toMatchObject({
      amount: '29.63',
      tax: 'gross',
      vat: 19,
      unitPrice: { amount: '1.19' },
    });
    expect(createPriceView(tape, gross, 'fr-fr')).toMatchObject({ amount: '26.27', vat: 5.5 });
  });

  it('cannot state a gross price without the VAT', () => {
    expect(createPriceView(tape, rule({ show: 'gross', vat: { de: 19 } }), 'en-gb')).toEqual({ kind: 'hidden' });
  });

  it('leaves out a unit price that would repeat the price', () => {
    const metre = createProductEntry({ price: decimal('3.00'), length: decimal('1'), width: decimal('0.1') });
    expect(createPriceView(metre, rule(), 'de-de')).toEqual({
      kind: 'amount',
      amount: '3.00',
      currency: 'EUR',
      tax: 'net',
    });
  });

  it('gives liquids by the litre and the kilogram, where somebody says what a pack holds', () => {
    const liquid = createProductEntry({ price: decimal('8.45'), length: undefined, width: undefined, area: undefined });
    const content = (text: string, unit: 'ml' | 'kg') => ({ value: decimal(text), unit });
    expect(createPriceView(liquid, rule(), 'de-de')).not.toHaveProperty('unitPrice');
    expect(createPriceView(liquid, rule(), 'de-de', content('310', 'ml'))).toMatchObject({
      unitPrice: { amount: '27.26', unit: 'l', unitCode: 'LTR' },
    });
    // The unit price would be the price itself.
    expect(createPriceView(liquid, rule(), 'de-de', content('1', 'kg'))).not.toHaveProperty('unitPrice');
  });

  it('divides the price that is shown: whoever calculates gets the same', () => {
    const cents = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(
        cents,
        fc.integer({ min: 101, max: 50_000 }),
        fc.constantFrom('net', 'gross'),
        (price, metres, show) => {
          const product = createProductEntry({
            // More decimals than are shown.
            price: decimal(String(price / 1000)),
            length: decimal(String(metres / 100)),
            width: decimal('0.06'),
          });
          const shown = createPriceView(
            product,
            rule({ show: show === 'net' ? 'net' : 'gross', vat: { de: 19 } }),
            'de-de',
          );
          if (shown.kind !== 'amount' || !shown.unitPrice) return;
          expect(shown.unitPrice.amount).toBe(divideDecimals(shown.amount, shown.unitPrice.measure, 2));
        },
      ),
      { seed: 15 },
    );
  });

  it('follows the rule of each language, and shows nothing where there is none', () => {
    const byLanguage = rule({ show: { de: 'gross', 'fr-fr': 'net' }, vat: { de: 19 } });
    expect(createPriceView(membrane, byLanguage, 'de-de')).toMatchObject({ tax: 'gross', amount: '169.58' });
    expect(createPriceView(membrane, byLanguage, 'fr-fr')).toMatchObject({ tax: 'net', amount: '142.50' });
    expect(createPriceView(membrane, byLanguage, 'en-gb')).toEqual({ kind: 'hidden' });
  });

  describe('with a currency by language', () => {
    const swiss = rule({ currency: { de: 'EUR', 'de-ch': 'CHF' } });

    it('names that of the language, or of the language without its region', () => {
      const record = createProductEntry({ language: 'de-ch' });
      expect(createPriceView(record, swiss, 'de-ch')).toMatchObject({ amount: '142.50', currency: 'CHF' });
      expect(createPriceView(membrane, swiss, 'de-at')).toMatchObject({ amount: '142.50', currency: 'EUR' });
    });

    it('shows no amount of a record in another currency', () => {
      expect(createPriceView(membrane, swiss, 'de-ch')).toEqual({ kind: 'on-request' });
      const foreign = createProductEntry({ language: 'it-it' });
      expect(createPriceView(foreign, swiss, 'de-ch')).toEqual({ kind: 'on-request' });
    });

    it('fails for a language without one', () => {
      expect(() => currencyOf(swiss, 'fr-ch')).toThrow('"price.currency" has no currency for fr-ch.');
    });
  });
});
