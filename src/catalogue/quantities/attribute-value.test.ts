import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAttributeValue, sortValue } from './attribute-value.ts';

describe('attributeValue', () => {
  it.each([
    ['7,5 m', '', 'de-de', { kind: 'number', value: 7.5, unit: 'm' }],
    ['7.5 m', '', 'en-gb', { kind: 'number', value: 7.5, unit: 'm' }],
    ['1.500 m', '', 'de-de', { kind: 'number', value: 1500, unit: 'm' }],
    ['1,500 m', '', 'en-gb', { kind: 'number', value: 1500, unit: 'm' }],
    ['1.500 m', '', 'en-gb', { kind: 'number', value: 1.5, unit: 'm' }],
    ['ca. 50 kg/m³', '', 'de-de', { kind: 'number', value: 50, unit: 'kg/m³' }],
    ['0,25 – 25 m', '', 'de-de', { kind: 'range', from: 0.25, to: 25, unit: 'm' }],
    ['0.25 – 25 m', '', 'en-gb', { kind: 'range', from: 0.25, to: 25, unit: 'm' }],
    ['-30 °C … +80 °C', '', 'de-de', { kind: 'range', from: -30, to: 80, unit: '°C' }],
    ['120 / 95 N/5 cm', '', 'de-de', { kind: 'pair', along: 120, across: 95, unit: 'N/5 cm' }],
    ['45 / 50 %', '', 'en-gb', { kind: 'pair', along: 45, across: 50, unit: '%' }],
    ['≥ 1500 m', '', 'de-de', { kind: 'bound', operator: '≥', value: 1500, unit: 'm' }],
    ['≤ -30 °C', 'EN 1109', 'en-gb', { kind: 'bound', operator: '≤', value: -30, unit: '°C' }],
    ['< 0,1 m³/(h·m·(daPa)²/³)', '', 'de-de', { kind: 'bound', operator: '<', value: 0.1, unit: 'm³/(h·m·(daPa)²/³)' }],
    ['ab +5 °C', '', 'de-de', { kind: 'bound', operator: '≥', value: 5, unit: '°C' }],
    ['à partir de +5 °C', '', 'fr-fr', { kind: 'bound', operator: '≥', value: 5, unit: '°C' }],
    ['E', 'DIN EN 13501-1', 'de-de', { kind: 'class', name: 'E', rank: 5 }],
    ['B-s1, d0', 'EN 13501-1:2018', 'en-gb', { kind: 'class', name: 'B', rank: 2 }],
    ['A2fl-s1', 'EN 13501-1', 'en-gb', { kind: 'class', name: 'A2', rank: 1 }],
    ['W1', 'EN 1928', 'de-de', { kind: 'class', name: 'W1', rank: 0 }],
    ['E', '', 'de-de', { kind: 'text' }],
    ['erfüllt', 'EN 1928', 'de-de', { kind: 'text' }],
    ['erfüllt (24 h / 60 kPa)', 'EN 1928', 'de-de', { kind: 'text' }],
    ['offene Fugen bis 20 mm', '', 'de-de', { kind: 'text' }],
    ['F EXT-INT CC 25HM', 'EN 15651-1', 'de-de', { kind: 'text' }],
    ['NPD', 'EN 1928', 'de-de', { kind: 'undeclared' }],
    ['–', 'EN 1928', 'de-de', { kind: 'undeclared' }],
    // Names that every object of the language has.
    ['E', 'constructor', 'de-de', { kind: 'text' }],
    ['5 m', '__proto__', 'de-de', { kind: 'number', value: 5, unit: 'm' }],
    [`1 a${'-1'.repeat(5_000)}\u2028`, '', 'de-de', { kind: 'text' }],
    ['9'.repeat(400), '', 'de-de', { kind: 'text' }],
  ] as const)('reads %j of %j in %s', (declared, norm, language, expected) => {
    expect(parseAttributeValue(declared, norm, language)).toEqual(expected);
  });

  it('reads a number as each language writes it', () => {
    const numbers = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => Math.round(value * 1000) / 1000);
    fc.assert(
      fc.property(numbers, fc.constantFrom('de-de', 'en-gb', 'fr-fr', 'it-it'), (value, language) => {
        const written = `${new Intl.NumberFormat(language, { maximumFractionDigits: 3 }).format(value)} mm`;
        // Zero has a sign nowhere but in the machine.
        expect(parseAttributeValue(written, '', language)).toEqual({ kind: 'number', value: value || 0, unit: 'mm' });
      }),
    );
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(parseAttributeValue(text, 'EN 13501-1', 'de-de').kind).toBeTypeOf('string');
      }),
    );
  });

  it('says the same of a value in every language of the demo', () => {
    const demo = new URL('../../../content/demo/products.json', import.meta.url);
    type Attributes = { norm: string; value: string }[];
    const records: Record<string, Record<string, { attributes: Attributes }>> = JSON.parse(readFileSync(demo, 'utf8'));
    for (const [gtin, languages] of Object.entries(records)) {
      const read = Object.entries(languages).map(([language, { attributes }]) =>
        attributes.map(({ norm, value }) => {
          const parsed = parseAttributeValue(value, norm, language);
          return [norm, parsed.kind, sortValue(parsed)];
        }),
      );
      for (const other of read) expect(other, gtin).toEqual(read[0]);
    }
  });
});
