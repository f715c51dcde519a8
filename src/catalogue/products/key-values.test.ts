import { describe, expect, it } from 'vitest';
import { keyValues, tallyAttributes } from './key-values.ts';
import { normBase } from '../norms/norm-base.ts';

const product = (...attributes: [name: string, norm: string, value: string][]) => ({
  attributes: attributes.map(([name, norm, value]) => ({ name, norm, value })),
});

describe('keyValues', () => {
  const family = [
    product(['Brandverhalten', 'EN 13501-1', 'E'], ['sd-Wert', 'EN 1931', '7,5 m'], ['Dicke', 'EN 1849-2', '0,35 mm']),
    product(['Brandverhalten', 'DIN EN 13501-1:2019', 'E'], ['sd-Wert', 'EN 1931', '20 m'], ['Farbe', '', 'blau']),
    product(['Brandverhalten', 'EN 13501-1', 'E'], ['sd-Wert', 'EN 1931', '≥ 1500 m']),
  ];

  it('prefers what the family shares and differs in, and keeps the order of the product', () => {
    expect(keyValues(family[0] ?? product(), tallyAttributes(family), 2).map(({ name }) => name)).toEqual([
      'Brandverhalten',
      'sd-Wert',
    ]);
    expect(keyValues(family[0] ?? product(), tallyAttributes(family), 1).map(({ name }) => name)).toEqual(['sd-Wert']);
  });

  it('quotes a value or leaves it out, but never cuts it', () => {
    const wordy = product(['Klasse', '', 'in Anlehnung an die Norm bestanden'], ['Dicke', '', '3 mm']);
    expect(keyValues(wordy, tallyAttributes([wordy]), 3)).toEqual([{ name: 'Dicke', norm: '', value: '3 mm' }]);
  });
});

describe('normBase', () => {
  it.each([
    ['DIN EN 1928:2000-07', 'EN 1928'],
    ['BS EN 1928', 'EN 1928'],
    ['NF  EN ISO 12572', 'EN ISO 12572'],
    ['DIN 4108-11', 'DIN 4108-11'],
    ['EN 13501-1', 'EN 13501-1'],
  ])('reads %s as %s', (norm, base) => {
    expect(normBase(norm)).toBe(base);
  });
});
