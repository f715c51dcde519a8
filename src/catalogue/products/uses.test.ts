import { expect, it } from 'vitest';
import { findUses } from './uses.ts';

const declared = (value: string, name = 'Verarbeitungstemperatur', language = 'de-de') => ({
  language,
  attributes: [{ name, norm: '', value }],
});

it.each([
  ['ab -5 °C', true],
  ['-10 °C … +50 °C', true],
  ['ab +5 °C', false],
  ['bis -5 °C', false],
  ['auf Anfrage', false],
])('derives the winter from a working temperature: %s', (value, isWinter) => {
  expect(findUses(undefined, declared(value))?.season ?? []).toEqual(isWinter ? ['winter'] : []);
});

it('reads the names of all languages', () => {
  expect(findUses(undefined, declared('from -5 °C', 'Application temperature', 'en-gb'))?.season).toEqual(['winter']);
  expect(findUses(undefined, declared('-40 °C', 'Temperaturbeständigkeit'))).toBeUndefined();
  const french = declared('à partir de −5 °C', 'Température de mise en œuvre', 'fr-fr');
  expect(findUses(undefined, french)?.season).toEqual(['winter']);
});

it('prefers the declared temperature to that of the overlay', () => {
  expect(findUses({ from: -10 }, declared('ab +5 °C'))).toBeUndefined();
  expect(findUses({ from: -10 }, declared('matt', 'Farbe'))?.season).toEqual(['winter']);
});
