import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createGroup, DEMO_PRODUCTS } from '../testing/create-group.ts';
import { normBase } from '../norms/norm-base.ts';
import { columnValues, familyHighlights, keyValues, listColumns } from './key-values.ts';

const product = (...attributes: [key: string, norm: string, value: string][]) => ({
  language: 'de-de',
  attributes: attributes.map(([name, norm, value]) => ({ name, norm, value })),
  attributeKeys: attributes.map(([key]) => key),
});
const valuesOf = (one: ReturnType<typeof product>, ...highlights: string[][]) =>
  keyValues(one, highlights).map(({ value }) => value);

describe('keyValues', () => {
  const membrane = product(
    ['fire', 'EN 13501-1', 'E'],
    ['sd', 'EN 1931', '7,5 m'],
    ['sd-variable', 'DIN EN ISO 12572:2017-05', '0,25 – 25 m'],
    ['mass', 'EN 1849-2', '90 g/m²'],
    ['thickness', 'EN 1849-2', 'NPD'],
  );

  it('shows one value for each highlight, in their order, by norm in any edition or by key', () => {
    expect(valuesOf(membrane, ['EN 1849-2'], ['fire'])).toEqual(['90 g/m²', 'E']);
    expect(valuesOf(membrane, ['EN ISO 12572'], ['BS EN 13501-1:2018'])).toEqual(['0,25 – 25 m', 'E']);
    expect(valuesOf(membrane, ['EN 1928'], ['thickness'], ['sd'], ['mass'], ['fire'])).toEqual(['7,5 m', '90 g/m²']);
  });

  it('shows the range of what is declared under several norms, or several times under one', () => {
    expect(valuesOf(membrane, ['EN 1931', 'EN ISO 12572'])).toEqual(['0,25 – 25 m']);
    const twice = product(['a', 'EN 1931', '7,5 m'], ['b', 'EN 1931', '0,25 – 25 m']);
    expect(valuesOf(twice, ['EN 1931'])).toEqual(['0,25 – 25 m']);
  });
});

describe('familyHighlights', () => {
  it('prefers what the family shares and differs in, behind what is named', () => {
    const family = [
      product(['fire', 'EN 13501-1', 'E'], ['sd', 'EN 1931', '7,5 m'], ['thickness', '', '0,35 mm']),
      product(['fire', 'EN 13501-1', 'E'], ['sd', 'EN 1931', '20 m'], ['colour', '', 'blau']),
      product(['fire', 'EN 13501-1', 'E'], ['sd', 'EN 1931', '≥ 1500 m'], ['rain', '', 'in Anlehnung an die Norm']),
    ];
    expect(familyHighlights(family, [])).toEqual([['sd'], ['fire'], ['thickness'], ['colour']]);
    expect(familyHighlights(family, [['EN 1928', 'rain']])[0]).toEqual(['rain']);
  });

  it('takes one property of a norm that has several', () => {
    const one = product(
      ['force', 'EN 12311-2', '120 N'],
      ['strain', 'EN 12311-2', '45 %'],
      ['fire', 'EN 13501-1', 'E'],
    );
    const two = product(['force', 'EN 12311-2', '230 N'], ['fire', 'EN 13501-1', 'E']);
    expect(familyHighlights([one, two], [['EN 12311-2'], ['EN 13501-1']])).toEqual([['force'], ['fire'], ['strain']]);
    expect(familyHighlights([one, one], [['EN 13501-1']])).toEqual([['fire'], ['force'], ['strain']]);
    expect(familyHighlights([one], [['EN 13501-1']])[0]).toEqual(['fire']);
  });
});

describe('listColumns', () => {
  const family = [
    product(
      ['sd-variable', 'EN ISO 12572:2017', '0,25 – 25 m'],
      ['sd', 'EN 1931', '7,5 m'],
      ['fire', 'EN 13501-1', 'E'],
    ),
    product(['sd', 'DIN EN 1931', '20 m']),
    product(['sd', 'EN 1931', 'NPD']),
  ];
  const columns = listColumns(family, [['sd-variable', 'sd'], ['fire'], ['unknown']]);

  it('has one head for a property, with the most frequent name, the unit and the norms', () => {
    expect(columns.map(({ name, unit, norms }) => [name, unit, norms])).toEqual([
      ['sd', 'm', ['EN ISO 12572', 'EN 1931']],
      ['fire', '', ['EN 13501-1']],
    ]);
  });

  it('omits values that all products share, unless there are no others', () => {
    const one = product(['fire', 'EN 13501-1', 'E'], ['sd', 'EN 1931', '20 m']);
    const two = product(['fire', 'EN 13501-1', 'E'], ['sd', 'EN 1931', '7,5 m']);
    const keysOf = (products: Parameters<typeof listColumns>[0]) =>
      listColumns(products, [['fire'], ['sd']]).flatMap(({ keys }) => keys);
    expect(keysOf([one, two])).toEqual(['sd']);
    expect(keysOf([one, one])).toEqual(['fire', 'sd']);
  });

  it('has the same columns in each row, and marks what is not declared', () => {
    expect(family.map((one) => columnValues(one, columns, () => '').map((value) => value?.value))).toEqual([
      ['0,25 – 25 m', 'E'],
      ['20 m', undefined],
      [undefined, undefined],
    ]);
  });
});

const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];
const keysIn = (taken: readonly number[], named: string[][]) => {
  const highlights = familyHighlights(createGroup(taken, 'de-de'), named);
  return LANGUAGES.map((language) =>
    createGroup(taken, language).map((one) =>
      keyValues(one, highlights).map((value) => one.attributeKeys[one.attributes.indexOf(value)]),
    ),
  );
};

describe('every language', () => {
  it('highlights the same of each product, whatever stands together', () => {
    const taken = fc.array(fc.nat({ max: DEMO_PRODUCTS - 1 }), { minLength: 1, maxLength: 12 });
    const named = fc.array(
      fc.array(fc.constantFrom('EN 1931', 'EN ISO 12572', 'EN 12311-2', 'verbrauch', 'NF EN 13501-1'), {
        minLength: 1,
        maxLength: 3,
      }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(taken, named, (places, highlights) => {
        const [german, ...others] = keysIn(places, highlights);
        for (const other of others) expect(other).toEqual(german);
        expect(german?.every((keys) => keys.length > 0)).toBe(true);
      }),
      { seed: 15, numRuns: 100 },
    );
  });

  it('shows the range of a variable membrane first', () => {
    const file = new URL('../../../content/assortment/haldenwerk.yaml', import.meta.url);
    const { families } = parse(readFileSync(file, 'utf8')) as {
      families: { id: string; highlights: (string | string[])[] }[];
    };
    const named = families.find(({ id }) => id === 'vapour-control-membranes')?.highlights ?? [];
    const highlights = named.map((one) => [one].flat());
    for (const language of LANGUAGES) {
      const [vario] = createGroup([0], language);
      const [first] = vario ? keyValues(vario, highlights) : [];
      expect([first && normBase(first.norm), first?.value.replace(',', '.')]).toEqual(['EN ISO 12572', '0.25 – 25 m']);
    }
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
