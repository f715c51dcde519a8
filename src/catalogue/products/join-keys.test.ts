import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { attributeKeys, materialKeys } from './key-values.ts';

const german = [
  { name: 'Höchstzugkraft längs/quer', norm: 'DIN EN 12311-2:2010' },
  { name: 'Dicke', norm: '' },
  { name: 'Dehnung längs/quer', norm: 'EN 12311-2' },
];
const french = [
  { name: 'Épaisseur', norm: null },
  { name: 'Force de traction', norm: 'NF EN 12311-2' },
  { name: 'Allongement', norm: 'EN 12311-2' },
];

describe('attributeKeys', () => {
  it('are no longer than the name of a folder, and stay apart', () => {
    const long = ['a', 'b'].map((end) => ({ name: 'W'.repeat(9_000) + end, norm: '' }));
    const keys = attributeKeys(long, long);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key.length).toBeLessThan(120);
  });

  it('names the same attribute alike in every language, whatever it is called and whoever publishes the norm', () => {
    expect(attributeKeys(german, german)).toEqual([
      'en-12311-2-hoechstzugkraft-laengs-quer',
      'dicke',
      'en-12311-2-dehnung-laengs-quer',
    ]);
    expect(attributeKeys(french, german)).toEqual([
      'dicke',
      'en-12311-2-hoechstzugkraft-laengs-quer',
      'en-12311-2-dehnung-laengs-quer',
    ]);
  });

  it('keeps apart what a product names twice, and names by itself what the reference lacks', () => {
    const twice = [
      { name: 'sd-Wert', norm: 'EN 1931' },
      { name: 'sd-Wert', norm: 'EN 1931' },
    ];
    expect(attributeKeys(twice, twice)).toEqual(['en-1931-sd-wert', 'en-1931-sd-wert-2']);
    expect(attributeKeys([{ name: 'Couleur' }], [])).toEqual(['couleur']);
    expect(attributeKeys([{ name: 'цвет', norm: 'EN 1931' }, { name: 'вес' }], [])).toEqual([
      expect.stringMatching(/^en-1931-[0-9a-f]{10}$/),
      expect.stringMatching(/^[0-9a-f]{10}$/),
    ]);
  });

  it('joins all of the demo', () => {
    const demo = new URL('../../../content/demo/products.json', import.meta.url);
    type Record_ = { attributes: { name: string; norm: string }[]; materials: { value: string }[] };
    const products = JSON.parse(readFileSync(demo, 'utf8')) as Record<string, Record<string, Record_>>;
    for (const languages of Object.values(products)) {
      const reference = languages['de-de'];
      for (const { attributes, materials } of Object.values(languages)) {
        expect(attributeKeys(attributes, reference?.attributes ?? [])).toEqual(
          attributeKeys(reference?.attributes ?? [], reference?.attributes ?? []),
        );
        expect(materialKeys(materials, reference?.materials ?? [])).toEqual(
          reference?.materials.map(({ value }) => materialKeys([{ value }], [{ value }])[0]),
        );
      }
    }
  });
});
