import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumberInput, formatNumberInput } from './number-input.ts';

const LANGUAGES = ['de-DE', 'de-AT', 'de-CH', 'en-GB', 'en-US', 'fr-FR', 'fr-CH', 'it-IT', 'pl-PL', 'sv-SE', 'es-ES'];
const read = (text: string): string => {
  const reading = parseNumberInput(text);
  return reading.ok ? reading.text : reading.reason;
};

describe('a number that somebody typed', () => {
  it.each([
    ['1,5', '1.5'],
    ['1.5', '1.5'],
    ['0,125', '0.125'],
    ['0.125', '0.125'],
    [',5', '0.5'],
    ['150', '150'],
    ['1500', '1500'],
    ['1234.567', '1234.567'],
    ['1,2345', '1.2345'],
    ['1 000', '1000'],
    ['1\u00a0000,5', '1000.5'],
    ['12\u202f345\u202f678', '12345678'],
    ['1’000.5', '1000.5'],
    ["1'000", '1000'],
    ['1 000,500', '1000.5'],
    ['1.234,5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1.234,567', '1234.567'],
    ['1.000.000', '1000000'],
    ['1,000,000.25', '1000000.25'],
    ['−10', '-10'],
    ['- 5', '-5'],
    ['+7', '7'],
    ['-0', '0'],
    ['１２,５', '12.5'],
    ['  42  ', '42'],
    ['5,', '5'],
  ])('%j is %s in every language', (text, expected) => expect(read(text)).toBe(expected));

  it.each(['m²', 'm', 'mm', '%', 'kg', 'g/m²', 'N/5 cm'])('may have the unit of its field behind it: %s', (unit) => {
    for (const number of ['100', '1,5', '1 000', '1.000', '-5', ''])
      for (const gap of ['', ' ', '\u00a0'])
        expect(parseNumberInput(`${number}${gap}${unit}`, unit)).toEqual(parseNumberInput(number));
  });

  it.each([
    ['100 cm', 'm'],
    ['100 mm', 'm'],
    ['100 m', 'm²'],
    ['100 m²', 'm'],
    ['100 m² m²', 'm²'],
    ['100 m²', undefined],
  ])('is refused with a unit that its field does not ask for: %j in %s', (text, unit) =>
    expect(parseNumberInput(text, unit)).toMatchObject({ ok: false, reason: 'no_number' }),
  );

  it.each(['1.000', '1,000', '12.500', '999,999', '-1.000', '100.000'])('%j is asked back', (text) => {
    expect(read(text)).toBe('ambiguous');
  });

  it('names both readings of what is ambiguous', () => {
    expect(parseNumberInput('12.500')).toEqual({ ok: false, reason: 'ambiguous', small: '12.5', large: '12500' });
  });

  it.each([
    'ten',
    '1,2,3',
    '1.23.456',
    '1,000.000.5',
    '1..5',
    '5..',
    '1e3',
    '12 34',
    '1 000.000.000',
    '0x10',
    '--5',
    '5-',
    '.',
    '9'.repeat(31),
  ])('%j is no number', (text) => expect(read(text)).toBe('no_number'));

  it('says when nothing was typed', () => expect(read(' \u00a0')).toBe('empty'));

  it('is the one that a language wrote, or is asked back, and never another', () => {
    const numbers = fc.tuple(fc.nat(9_999_999), fc.nat(9999), fc.integer({ min: 0, max: 4 }), fc.boolean());
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES),
        numbers,
        fc.boolean(),
        (language, [whole, part, places, minus], useGrouping) => {
          const number = Number(`${minus ? '-' : ''}${whole}.${String(part).padStart(4, '0').slice(0, places)}`) || 0;
          const written = new Intl.NumberFormat(language, { maximumFractionDigits: 4, useGrouping }).format(number);
          const reading = parseNumberInput(written);
          if (reading.ok) expect(Number(reading.text)).toBe(number);
          else {
            expect(reading.reason).toBe('ambiguous');
            // Both marks can only be meant where one of them is followed by a group.
            expect(written).toMatch(/^[-−]?[1-9]\d{0,2}[.,]\d{3}$/);
            if (reading.reason === 'ambiguous')
              expect([Number(reading.small), Number(reading.large)]).toContain(number);
          }
        },
      ),
      { seed: 15, numRuns: 2000 },
    );
  });

  it('comes back from a field that was filled in', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), fc.nat(99_999), fc.nat(99), (language, whole, part) => {
        const text = String(Number(`${whole}.${part}`));
        expect(read(formatNumberInput(text, language))).toBe(text);
      }),
      { seed: 15 },
    );
  });

  it('is read in steps that its length bounds', () => {
    for (const text of ['1 '.repeat(50_000), '1.'.repeat(50_000), ' '.repeat(100_000), '9'.repeat(100_000)])
      expect(['no_number', 'empty']).toContain(read(text));
  });
});
