import { expect, it } from 'vitest';
import { normBase } from './norm-base.ts';

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
])('%s is %s', (written, base) => {
  expect(normBase(written)).toBe(base);
});
