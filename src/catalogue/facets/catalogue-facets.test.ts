import { describe, expect, it } from 'vitest';
import { toDecimal } from '#contracts/product/index.ts';
import { createGroup } from '../testing/create-group.ts';
import { largerUnits, makeCatalogueTable, mergeFacets } from './catalogue-facets.ts';
import { sharedValues, summariseFacets } from './group-facets.ts';

const group = (...indexes: number[]) => groupOf(createGroup(indexes, 'de-de'));
const groupOf = (products: ReturnType<typeof createGroup>) => ({
  products,
  count: products.length,
  version: `version-${products.length}`,
  facets: summariseFacets(products),
  shared: sharedValues(products),
});
/** Creates a group of products that declare these thicknesses, or have these lengths in metres. */
const thick = (...values: string[]) =>
  groupOf(
    values.flatMap((value) =>
      createGroup([0], 'de-de').map((product) => ({
        ...product,
        attributes: [{ name: 'Dicke', norm: '', value }],
        attributeKeys: ['dicke'],
      })),
    ),
  );
const long = (...lengths: number[]) =>
  groupOf(
    lengths.flatMap((length) =>
      createGroup([0], 'de-de').map((product) => ({ ...product, length: toDecimal(String(length)) })),
    ),
  );
const groups = [group(0, 1, 2, 3), group(4, 5, 6), group(7, 8, 9, 10, 11, 12)];

describe('mergeFacets', () => {
  const facets = mergeFacets(groups);
  const countsOf = (id: string) =>
    facets.find((facet) => facet.id === id)?.options.map((option) => [option.id, option.count]);

  it('adds up the classes of all families, including one that a family shares', () => {
    expect(facets[0]?.id).toBe('fire-class');
    expect(countsOf('fire-class')).toEqual([
      ['b', 1],
      ['e', 6],
    ]);
  });

  it('sorts widths in millimetres and metres by their size', () => {
    expect(countsOf('width')?.map(([id]) => id)).toEqual([
      '25-mm',
      '50-mm',
      '60-mm',
      '100-mm',
      '150-mm',
      '1-m',
      '1-5-m',
      '3-m',
    ]);
  });

  it('leaves out an attribute in several units', () => {
    const millimetres = thick('1 mm', '2 mm', '3 mm');
    const unitsOf = (...others: string[]) =>
      mergeFacets([millimetres, thick(...others)])
        .filter(({ id }) => id === 'dicke')
        .map(({ unit }) => unit);
    expect([unitsOf('4 mm', '5 mm'), unitsOf('1 cm', '2 cm')]).toEqual([['mm'], []]);
  });

  it('leaves out what only one family has', () => {
    expect(facets.map(({ id }) => id)).not.toContain('en-iso-29862-schaelwiderstand');
  });
});

describe('makeCatalogueTable', () => {
  it('has the values of all products in the order of the families', () => {
    const { counts, version, columns } = makeCatalogueTable(groups, mergeFacets(groups));
    expect(counts).toEqual([4, 3, 6]);
    expect(version).toBe('version-4 version-3 version-6');
    const { of = [], values = [] } = columns.find(({ id }) => id === 'width') ?? {};
    const ids = of.map(([index]) => values[index ?? -1]?.id);
    expect([ids.length, ids[0], ids[4], ids[7]]).toEqual([13, '1-5-m', '1-5-m', '60-mm']);
  });

  it('has the numbers of all families in the unit of the facet', () => {
    // The last one is too small for a separate facet.
    const families = [long(25, 30, 50), long(0.1, 0.2, 0.31), long(1.1)];
    const facets = mergeFacets(families).filter(({ id }) => id === 'length');
    const [column] = makeCatalogueTable(families, facets).columns;
    expect(facets.map(({ unit }) => unit)).toEqual(['mm']);
    expect(column?.of.map(([index]) => column.values[index ?? -1]?.low)).toEqual([
      25_000, 30_000, 50_000, 100, 200, 310, 1100,
    ]);
    expect(families.map((family) => largerUnits(family, facets))).toEqual([['length'], [], []]);
  });

  it('has no numbers of a family that declares an attribute in another unit', () => {
    const families = [thick('1 mm', '2 mm'), thick('3 mm', '4 mm'), thick('5 cm')];
    const facets = mergeFacets(families).filter(({ id }) => id === 'dicke');
    const [column] = makeCatalogueTable(families, facets).columns;
    expect(column?.of.map(([index]) => column.values[index ?? -1]?.low)).toEqual([1, 2, 3, 4, undefined]);
  });
});

describe('sharedValues', () => {
  it('names what all products declare alike, and nothing for a single one', () => {
    const shared = groups[0]?.shared.map(({ id, options }) => [id, options[0]?.values[0].text, options[0]?.count]);
    expect(shared?.[0]).toEqual(['fire-class', 'E', 4]);
    expect(sharedValues(createGroup([0], 'de-de'))).toEqual([]);
  });
});
