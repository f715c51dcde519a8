import { expect, it } from 'vitest';
import { normBase, normQuery } from './norm-base.ts';

it.each([
  ['EN 1928', 'EN 1928'],
  ['DIN EN 1928', 'EN 1928'],
  ['EN 1928:2000-07', 'EN 1928'],
  ['NF EN 1928 : 2000', 'EN 1928'],
  ['BS EN ISO 12572:2016', 'EN ISO 12572'],
  ['DIN EN ISO 9053-1', 'EN ISO 9053-1'],
  ['ÖNORM EN 13501-1', 'EN 13501-1'],
  ['SN EN 1928', 'EN 1928'],
  ['I.S. EN 1928', 'I.S. EN 1928'],
  ['BS ISO 7389', 'ISO 7389'],
  ['DIN 4108-11', 'DIN 4108-11'],
  ['DIN 18542:2020', 'DIN 18542'],
])('%s is %s, on pages and in the search', (written, base) => {
  expect(normBase(written)).toBe(base);
  if (written !== base) expect(normQuery(written)).toBe(base);
});

it.each([
  ['EN1928', 'EN 1928'],
  ['DIN EN1928:2000', 'EN 1928'],
  ['EN-13501-1', 'EN 13501-1'],
  ['EN ISO12572', 'EN ISO 12572'],
])('%s is searched as %s, however close it is written', (written, query) => {
  expect(normQuery(written)).toBe(query);
});

it.each(['tape for windows', 'KLEVENTO 60', '9524010000016', 'Dichtband EN'])('%s is searched as it is', (query) => {
  expect(normQuery(query)).toBe(query);
});
