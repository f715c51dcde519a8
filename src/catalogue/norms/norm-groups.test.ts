import { expect, it } from 'vitest';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { groupByNorm, normSlug } from './norm-groups.ts';

const product = (gtin: string, attributes: [string, string, string][], language = 'de-de') =>
  createProductEntry({
    gtin,
    language,
    attributes: attributes.map(([name, norm, value]) => ({ name, norm, value })),
  });
const values = (entries: ReturnType<typeof product>[], slug: string) =>
  groupByNorm(entries)
    .get(slug)
    ?.groups.map(({ name, rows }) => [name, ...rows.map(({ value }) => value)]);

it('names the page of a norm by what is the same in every country', () => {
  expect(['EN 1928', 'DIN EN 1928:2000-07', 'BS EN 1928', 'EN ISO 9053-1', ' ', '–'].map(normSlug)).toEqual([
    'en-1928',
    'en-1928',
    'en-1928',
    'en-iso-9053-1',
    '',
    '',
  ]);
});

it('puts values in order as numbers, in the same order in every language', () => {
  const declared = {
    'de-de': ['20 m', '7,5 m', '≥ 1.500 m', '0,05 m'],
    'en-gb': ['20 m', '7.5 m', '≥ 1,500 m', '0.05 m'],
  };
  for (const [language, texts] of Object.entries(declared)) {
    const entries = texts.map((value, i) => product(String(i), [['sd', 'EN 1931', value]], language));
    const rows = groupByNorm(entries).get('en-1931')?.groups[0]?.rows ?? [];
    expect(rows.map(({ gtin }) => gtin)).toEqual(['3', '1', '0', '2']);
    expect(rows.map(({ value }) => value)).toEqual(['3', '1', '0', '2'].map((i) => texts[Number(i)]));
  }
});

it('puts the better class first, and what is no value last', () => {
  const entries = ['E', 'NPD', 'B-s1, d0', 'siehe Leistungserklärung', 'A1'].map((value, i) =>
    product(String(i), [['Brandverhalten', 'DIN EN 13501-1:2019', value]]),
  );
  expect(values(entries, 'en-13501-1')).toEqual([
    ['Brandverhalten', 'A1', 'B-s1, d0', 'E', 'NPD', 'siehe Leistungserklärung'],
  ]);
});

it('keeps characteristics and units apart, and counts products', () => {
  const entries = [
    product('1', [
      ['Höchstzugkraft', 'EN 12311-2', '230 / 200 N/5 cm'],
      ['Dehnung', 'EN 12311-2', '45 / 50 %'],
    ]),
    product('2', [['Höchstzugkraft', 'EN 12311-2', '120 / 95 N/5 cm']]),
    product('3', [['Höchstzugkraft', 'EN 12311-2', '90 N/25 mm']]),
    product('4', [['Dicke', '', '1 mm']]),
  ];
  expect(groupByNorm(entries).get('en-12311-2')?.count).toBe(3);
  expect(values(entries, 'en-12311-2')).toEqual([
    ['Höchstzugkraft', '120 / 95 N/5 cm', '230 / 200 N/5 cm', '90 N/25 mm'],
    ['Dehnung', '45 / 50 %'],
  ]);
  expect([...groupByNorm(entries).keys()]).toEqual(['en-12311-2']);
});

it('counts what it leaves out', () => {
  const entries = Array.from({ length: 30 }, (_, i) => product(String(i), [['Dicke', 'EN 1849-2', `${30 - i} mm`]]));
  const [group] = groupByNorm(entries, 24).get('en-1849-2')?.groups ?? [];
  expect([group?.count, group?.rows.length, group?.rows[0]?.value]).toEqual([30, 24, '1 mm']);
});
