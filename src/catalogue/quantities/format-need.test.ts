import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUi, dictionary } from '#i18n/index.ts';
import { multiplyDecimals } from './decimal-arithmetic.ts';
import { formatNeed } from './material-need.ts';

const dictionaries = Object.fromEntries(
  await Promise.all(
    ['de', 'en', 'fr'].map(async (id) => [
      id,
      dictionary.parse((await import(`../../../content/strings/${id}.json`, { with: { type: 'json' } })).default),
    ]),
  ),
);
const order = (language: string, units: number, words: [string, string, string], content = '75') => {
  const ui = createUi(dictionaries, language, 'de-de');
  const [unit, ...packages] = words.map((word) => ui.unit(word, language));
  if (!unit) throw new Error('no unit');
  const sizes = ['4', '20'];
  const packed = packages.map((word, i) => ({ unit: word, quantity: sizes[i] ?? '1' }));
  return formatNeed(units, { content, contentUnit: 'm²' }, { unit, packages: packed }, ui.formats).replaceAll(
    '\u00a0',
    ' ',
  );
};

describe('what to order', () => {
  it.each([
    ['en-gb', 2, ['roll', 'box', 'pallet'], '2 rolls (150 m²)'],
    ['en-gb', 1, ['roll', 'box', 'pallet'], '1 roll (75 m²)'],
    ['en-gb', 4, ['roll', 'box', 'pallet'], '4 rolls (300 m²) = 1 box'],
    ['en-gb', 50, ['roll', 'box', 'pallet'], '50 rolls (3750 m²) = 2 pallets, 2 boxes and 2 rolls'],
    ['de-de', 2, ['Rolle', 'Karton', 'Palette'], '2 Rollen (150 m²)'],
    ['de-de', 41, ['Rolle', 'Karton', 'Palette'], '41 Rollen (3075 m²) = 2 Paletten und 1 Rolle'],
    ['de-de', 3, ['Stück', 'Karton', 'Palette'], '3 Stück (225 m²)'],
    ['fr-fr', 2, ['rouleau', 'carton', 'palette'], '2 rouleaux (150 m²)'],
    ['fr-fr', 21, ['seau', 'carton', 'palette'], '21 seaux (1575 m²) = 1 palette et 1 seau'],
    // Its plural isn't defined.
    ['de-de', 2, ['Gebinde X', 'Karton', 'Palette'], '2 × Gebinde X (150 m²)'],
  ] as const)('%s: %i of %j', (language, units, words, expected) => {
    expect(order(language, units, [...words])).toBe(expected);
  });

  it('is named in larger units only when one is filled, and always adds up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), (units) => {
        const [all = '', packed] = order('en-gb', units, ['roll', 'box', 'pallet'], '1').split(' = ');
        expect(all).toBe(
          `${units.toLocaleString('en-GB')} ${units === 1 ? 'roll' : 'rolls'} (${units < 10_000 ? units : ''} m²)`,
        );
        expect(packed === undefined).toBe(units < 4);
        const sizes: Record<string, number> = { roll: 1, rolls: 1, box: 4, boxes: 4, pallet: 20, pallets: 20 };
        const parts = [...(packed ?? `${units} rolls`).matchAll(/(\d+) (\w+)/g)];
        expect(parts.reduce((sum, [, count, word = '']) => sum + Number(count) * (sizes[word] ?? NaN), 0)).toBe(units);
      }),
      { seed: 15 },
    );
  });

  it('says what is held exactly', () => {
    expect(order('en-gb', 3, ['board', 'box', 'pallet'], '0.7015')).toBe(
      `3 boards (${multiplyDecimals('0.7015', '3', 4)} m²)`,
    );
  });
});
