import { expect, it } from 'vitest';
import { familySdValues, productSdValue, sdPosition } from './sd-scale.ts';

const declare = (value: string, norm: string) => ({ name: 'sd-Wert', norm, value });

it('prefers the range of a variable membrane, and ignores other quantities of the same norm', () => {
  const attributes = [
    declare('15 g/(m²·d)', 'EN 1931'),
    declare('7,5 m', 'DIN EN 1931:2001-03'),
    declare('0,25 – 25 m', 'EN ISO 12572'),
  ];
  expect(productSdValue({ attributes, language: 'de-de' })).toMatchObject({ from: 0.25, to: 25, text: '0,25 – 25 m' });
  expect(productSdValue({ attributes: attributes.slice(0, 1), language: 'de-de' })).toBeUndefined();
});

it('ends bounds at the ends of the scale', () => {
  const sdOf = (value: string) => productSdValue({ attributes: [declare(value, 'EN 1931')], language: 'en-gb' });
  expect(sdOf('< 0.5 m')).toMatchObject({ from: 0.01, to: 0.5 });
  expect(sdOf('≥ 1500 m')).toMatchObject({ from: 1500, to: 1500 });
  expect(['0.01', '0.1', '1500'].map((metres) => sdPosition(Number(metres)))).toEqual([0, 19.3, 100]);
});

it('reads no values of a family that declares more than are listed', () => {
  const rows = [{ gtin: '1', name: 'A', slug: 'a', value: '20 m' }];
  const norm = (count: number) => ({
    name: 'EN 1931',
    count,
    groups: [{ name: 'sd', language: 'de-de', count, rows }],
  });
  expect(familySdValues((slug) => (slug === 'en-1931' ? norm(1) : undefined))).toEqual([
    ['1', { from: 20, to: 20, text: '20 m' }],
  ]);
  expect(familySdValues(() => norm(2))).toEqual([]);
});
