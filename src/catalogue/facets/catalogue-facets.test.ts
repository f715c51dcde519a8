import { describe, expect, it } from 'vitest';
import { createGroup } from '../testing/create-group.ts';
import { makeCatalogueTable, mergeFacets } from './catalogue-facets.ts';
import { sharedValues, summariseFacets } from './group-facets.ts';

const group = (...indexes: number[]) => {
  const products = createGroup(indexes, 'de-de');
  return { products, count: products.length, facets: summariseFacets(products), shared: sharedValues(products) };
};
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

  it('leaves out what only one family has', () => {
    expect(facets.map(({ id }) => id)).not.toContain('en-iso-29862-schaelwiderstand');
  });
});

describe('makeCatalogueTable', () => {
  it('has the values of all products in the order of the families', () => {
    const { counts, columns } = makeCatalogueTable(groups, mergeFacets(groups));
    expect(counts).toEqual([4, 3, 6]);
    const { of = [], values = [] } = columns.find(({ id }) => id === 'width') ?? {};
    const ids = of.map(([index]) => values[index ?? -1]?.id);
    expect([ids.length, ids[0], ids[4], ids[7]]).toEqual([13, '1-5-m', '1-5-m', '60-mm']);
  });
});

describe('sharedValues', () => {
  it('names what all products declare alike, and nothing for a single one', () => {
    const shared = groups[0]?.shared.map(({ id, options }) => [id, options[0]?.values[0].text, options[0]?.count]);
    expect(shared?.[0]).toEqual(['fire-class', 'E', 4]);
    expect(sharedValues(createGroup([0], 'de-de'))).toEqual([]);
  });
});
