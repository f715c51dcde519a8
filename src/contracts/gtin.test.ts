import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyGtin, gtinCheckDigit, isGtin13, parseGtin, toGtin14 } from './gtin.ts';

const gtin13 = fc.stringMatching(/^\d{12}$/).map((body) => `${body}${gtinCheckDigit(body)}`);

describe('GTIN-13', () => {
  it.each(['4012345678901', '9524010000016', '0412345000018'])('takes %s', (gtin) => {
    expect(isGtin13(gtin)).toBe(true);
  });

  it.each([
    ['a wrong check digit', '4012345678902'],
    ['two digits swapped', '4012345678910'],
    ['twelve digits', '952401000001'],
    ['a space', '9524010000016 '],
    ['full-width digits', '９524010000016'],
  ])('refuses %s', (_, gtin) => {
    expect(isGtin13(gtin)).toBe(false);
  });

  it('notices every single wrong digit', () => {
    fc.assert(
      fc.property(gtin13, fc.nat(12), fc.integer({ min: 1, max: 9 }), (gtin, place, by) => {
        const wrong = [...gtin].map((digit, i) => (i === place ? String((Number(digit) + by) % 10) : digit)).join('');
        expect(isGtin13(wrong)).toBe(false);
      }),
    );
  });
});

describe('reading a GTIN as people write it', () => {
  it.each([
    ['with spaces', '952 4010 00001 6'],
    ['with hyphens and dots', '952-4010.000016'],
    ['with full-width digits', '９５２４０１００００016'],
    ['as GTIN-14', '09524010000016'],
    ['as an element string', '(01)09524010000016'],
    ['in full-width brackets', '（０１）０９５２４０１０００００１６'],
    ['as a scanner gives it', ']C101095240100000161024A'],
    ['as a Digital Link', 'https://id.example/01/09524010000016/10/LOT?x=1'],
  ])('takes one %s', (_, input) => {
    expect(parseGtin(input)).toEqual({ ok: true, gtin13: '9524010000016', gtin14: '09524010000016' });
  });

  it('gives a GTIN-12 its leading zero back', () => {
    expect(parseGtin('412345000018')).toMatchObject({ ok: true, gtin13: '0412345000018' });
  });

  it.each([
    ['letters', '95240100000X6', 'characters', /other than digits/],
    ['a lost digit', '95240100016', 'length', /has 11 digits/],
    ['a wrong check digit', '4012345678902', 'check-digit', /check digit 2, but the other digits require 1/],
    ['a carton', '19524010000013', 'packaging-level', /another packaging level/],
  ])('refuses %s, says why and what to do', (_, input, reason, why) => {
    const reading = parseGtin(input);
    expect(reading).toMatchObject({ ok: false, reason, problem: expect.stringMatching(why) });
    expect(!reading.ok && reading.hint.length).toBeGreaterThan(10);
  });

  it('reads every valid GTIN-13 back from its GTIN-14', () => {
    fc.assert(
      fc.property(gtin13, (gtin) => {
        expect(parseGtin(toGtin14(gtin))).toMatchObject({ ok: true, gtin13: gtin });
      }),
    );
  });
});

describe('the class of a prefix', () => {
  it.each([
    ['9524010000016', 'demo'],
    ['0412345000018', 'restricted'],
    ['2012345678900', 'restricted'],
    ['9812345678903', 'coupon'],
    ['9781234567897', 'isbn'],
    ['4012345678901', 'regular'],
  ] as const)('%s is %s', (gtin, expected) => {
    expect(classifyGtin(gtin)).toBe(expected);
  });
});
