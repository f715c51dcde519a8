import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { createGroup, DEMO_PRODUCTS } from '../testing/create-group.ts';
import { groupCharacteristics } from './group-characteristics.ts';
import { filterByFacet, groupFacets, summariseFacets } from './group-facets.ts';

const productGroups = fc.array(fc.nat({ max: DEMO_PRODUCTS - 1 }), { minLength: 1, maxLength: 40 });
const languages = fc.constantFrom('de-de', 'en-gb', 'fr-fr');
const decimal = (text: string) => ({ text, value: Number(text) });

/** Options of a facet as people read them, with how many products each has. */
function read(products: Parameters<typeof summariseFacets>[0], id: string): unknown {
  const facet = summariseFacets(products).find((summary) => summary.id === id);
  return facet?.options.map(({ id: option, values, count }) => [
    option,
    values.map(({ text }) => text).join(' … '),
    count,
  ]);
}

describe('the facets of a shelf', () => {
  it('are those that divide it, in the order of the planner', () => {
    const membranes = createGroup([4, 5, 6], 'de-de');
    expect(groupFacets(membranes).map(({ id }) => id)).toEqual([
      'materials',
      'fire-class',
      'width',
      'availability',
      'en-12311-1-hoechstzugkraft-laengs-quer',
      'en-iso-12572-wasserdampfdiffusion-sd-wert',
      'en-1928-widerstand-gegen-wasserdurchgang',
      'en-12310-1-weiterreisswiderstand-nagelschaft-laengs-quer',
      'en-1849-2-flaechengewicht',
      'documents',
      'length',
      'area',
      'weight',
    ]);
    expect(read(membranes, 'fire-class')).toEqual([
      ['b', 'B-s1, d0', 1],
      ['e', 'E', 2],
    ]);
    expect(read(membranes, 'width')).toEqual([
      ['1-m', '1', 1],
      ['1-5-m', '1.5', 2],
    ]);
  });

  it('leave out what all products say alike, and what can only be read', () => {
    const alike = createGroup([0, 0, 0], 'de-de');
    expect(groupFacets(alike)).toEqual([]);
  });

  it('put numbers in order as they are meant, not as they are written', () => {
    const products = ['≥ 1500 m', '7,5 m', '20 m', '0,25 – 25 m'].map((value) =>
      createProductEntry({
        attributes: [{ name: 'sd-Wert', norm: 'EN 1931', value }],
        attributeKeys: ['en-1931-sd-wert'],
      }),
    );
    expect(read(products, 'en-1931-sd-wert')).toEqual([
      ['0-25-to-25', '0,25 – 25 m', 1],
      ['7-5', '7,5 m', 1],
      ['20', '20 m', 1],
      ['ge-1500', '≥ 1500 m', 1],
    ]);
  });

  it('gather many numbers into spans between declared values', () => {
    const products = Array.from({ length: 60 }, (_, i) =>
      createProductEntry({ gtin: String(i), width: decimal(String((i + 1) / 100)) }),
    );
    const spans = groupFacets(products).find(({ id }) => id === 'width');
    expect(spans?.options.map(({ id, products: { length } }) => [id, length])).toEqual([
      ['from-10-mm-to-100-mm', 10],
      ['from-110-mm-to-200-mm', 10],
      ['from-210-mm-to-300-mm', 10],
      ['from-310-mm-to-400-mm', 10],
      ['from-410-mm-to-500-mm', 10],
      ['from-510-mm-to-600-mm', 10],
    ]);
  });

  it('keep what is declared in another unit out of the order, but not out of sight', () => {
    const products = ['3 mm', '2 mm', '0,5 cm'].map((value) =>
      createProductEntry({ attributes: [{ name: 'Dicke', norm: '', value }], attributeKeys: ['dicke'] }),
    );
    expect(read(products, 'dicke')).toEqual([
      ['2', '2 mm', 1],
      ['3', '3 mm', 1],
    ]);
    const thickness = groupCharacteristics(products).find(({ id }) => id === 'dicke');
    expect(thickness?.values.map(({ text }) => text)).toEqual(['3 mm', '2 mm', '0,5 cm']);
  });

  it('begin with the uses, and count substrates that need a primer', () => {
    const uses = {
      place: ['indoors' as const],
      substrates: ['osb' as const],
      primed: ['concrete' as const],
      season: [],
    };
    const products = [{ uses }, { uses: { ...uses, place: ['outdoors' as const], primed: [] } }, {}].map((changes) =>
      createProductEntry(changes),
    );
    expect(groupFacets(products).map(({ id }) => id)).toEqual(['place', 'substrates']);
    expect(read(products, 'substrates')).toEqual([
      ['osb', 'osb', 2],
      ['concrete', 'concrete', 1],
    ]);
  });

  it('tell an attribute from what the site itself calls by that name', () => {
    const names = ['width', 'p', 'norms'];
    const products = ['1 m', '2 m'].map((value) =>
      createProductEntry({
        attributes: names.map((name) => ({ name, norm: '', value })),
        attributeKeys: names,
      }),
    );
    expect(groupFacets(products).map(({ id }) => id)).toEqual(['attribute-width', 'attribute-p', 'attribute-norms']);
  });

  it('take any norm', () => {
    const products = ['constructor', '__proto__', 'toString'].map((norm) =>
      createProductEntry({ attributes: [{ name: 'Dicke', norm, value: '1 m' }], attributeKeys: [norm.toLowerCase()] }),
    );
    expect(groupCharacteristics(products).flatMap(({ values }) => values.map(({ text }) => text))).toContain('1 m');
  });

  it('show a second fire class under its own name', () => {
    const [product] = [
      createProductEntry({
        attributes: [
          { name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' },
          { name: 'Brandverhalten auf Gipsplatte', norm: 'EN 13501-1', value: 'B-s1, d0' },
        ],
        attributeKeys: ['a', 'b'],
      }),
    ];
    const fire = groupCharacteristics([product]).filter(({ norm }) => norm === 'EN 13501-1');
    expect(fire.map(({ id, name }) => [id, name])).toEqual([
      ['fire-class', 'Brandverhalten'],
      ['b', 'Brandverhalten auf Gipsplatte'],
    ]);
  });

  it('find every product under each of its values, and nothing else', () => {
    fc.assert(
      fc.property(productGroups, languages, (taken, language) => {
        const products = createGroup(taken, language);
        const characteristics = new Map(groupCharacteristics(products).map((found) => [found.id, found]));
        for (const facet of groupFacets(products)) {
          const { of = [], values = [] } = characteristics.get(facet.id) ?? {};
          for (const [i, places] of of.entries()) {
            for (const place of places) {
              const value = values[place];
              if (value?.id === undefined) continue;
              const holding = facet.options.filter(({ products: some }) => some.includes(i));
              // A value shared by all products isn't an option.
              if (holding.length > 0) continue;
              const sharing = of.filter((others) => others.some((other) => values[other]?.id === value.id));
              expect(sharing.length, `${facet.id} ${value.id}`).toBe(products.length);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('count what their lists show', () => {
    fc.assert(
      fc.property(productGroups, languages, (taken, language) => {
        const products = createGroup(taken, language);
        for (const { id: facet, options } of summariseFacets(products)) {
          for (const { id: option, count, only } of options) {
            const chosen = filterByFacet(products, { facet, option }) ?? [];
            expect(chosen.length).toBe(count);
            expect(only).toBe(count === 1 ? chosen[0]?.slug : undefined);
            expect(new Set(chosen).size).toBe(count);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are the same in every language, at the same addresses', () => {
    fc.assert(
      fc.property(productGroups, (taken) => {
        const ids = ['de-de', 'en-gb', 'fr-fr'].map((language) =>
          groupFacets(createGroup(taken, language)).map(({ id, options }) => [id, options.map((option) => option.id)]),
        );
        expect(ids[1]).toEqual(ids[0]);
        expect(ids[2]).toEqual(ids[0]);
      }),
      { numRuns: 60 },
    );
  });
});
