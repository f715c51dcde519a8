import { expect, it } from 'vitest';
import { splitByWeight } from '../site/family-pages.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { collectNorms } from '../site/product-groups.ts';
import { familyNormPage, familyNormPages, normPages } from './norm-pages.ts';
import { groupByNorm, MAX_NORM_ROWS } from './norm-groups.ts';

const families = ['membranes', 'tapes', undefined].map((id) => ({ family: id === undefined ? id : { id, name: id } }));
const listed = (norm: string, productGroup: string, values: number) => ({
  norm,
  productGroup,
  name: norm.toUpperCase().replace('-', ' '),
  count: values,
  values,
  rows: Math.min(values, MAX_NORM_ROWS),
  digest: productGroup,
});

it('cuts by weight, and gives what is too heavy a page of its own', () => {
  expect(splitByWeight([3, 4, 5, 20, 1], (n) => n, 8)).toEqual([[3, 4], [5], [20], [1]]);
  expect(splitByWeight([], () => 1, 8)).toEqual([]);
});

it('puts norms in the order in which people count, and families in theirs', () => {
  const norms = collectNorms(
    [
      listed('en-12310-1', 'tapes', 1),
      listed('en-1109', '', 2),
      listed('en-1109', 'membranes', 3),
      listed('en-1', 'x', 1),
    ],
    families,
  );
  expect(norms.map(({ name, count }) => [name, count])).toEqual([
    ['EN 1109', 5],
    ['EN 12310-1', 1],
  ]);
  expect(norms[0]?.families.map(({ family }) => family?.id)).toEqual(['membranes', undefined]);
});

it('spreads a norm of many families over pages that stay readable', () => {
  const productGroups = Array.from({ length: 30 }, (_, i) => ({ family: { id: `f${i}`, name: `F${i}` } }));
  const norms = collectNorms(
    productGroups.map(({ family }) => listed('en-1931', family.id, 500)),
    productGroups,
  );
  const pages = normPages({ norms: () => norms }, 'de-de');
  expect(pages.map(({ families: shown, number, total }) => [shown.length, number, total])).toEqual([
    [10, 1, 3],
    [10, 2, 3],
    [10, 3, 3],
  ]);
});

it('has all values of a family on pages of its own where the page of the norm leaves some out', () => {
  const products = Array.from({ length: 200 }, (_, i) =>
    createProductEntry({
      gtin: String(i),
      attributes: [
        { name: 'Dicke', norm: 'EN 1849-2', value: `${200 - i} mm` },
        ...(i < 3 ? [{ name: 'sd', norm: 'EN 1931', value: '1 m' }] : []),
      ],
    }),
  );
  const family = { id: 'membranes', name: 'membranes' };
  const productGroup = { family, products };
  // Another family may write it otherwise.
  const counted = [...groupByNorm(products)].map(([norm, { count }]) => ({
    ...listed(norm, 'membranes', count),
    name: 'EN1849-2',
  }));
  const norms = collectNorms(counted, families);
  const site = { norms: () => norms, productGroups: () => [productGroup] };
  const listedPages = familyNormPages(site, 'de-de', family);
  expect(listedPages.map(({ slug, number }) => [slug, number])).toEqual(
    [1, 2, 3].map((number) => ['en-1849-2', number]),
  );
  const pageOf = (slug: string, number: number) =>
    familyNormPage(site, { language: 'de-de', id: family.id, slug, number });
  const pages = listedPages.flatMap(({ slug, number }) => pageOf(slug, number) ?? []);
  expect(pages.map(({ norm, number, total, groups }) => [norm.slug, number, total, groups[0]?.rows.length])).toEqual([
    ['en-1849-2', 1, 3, 96],
    ['en-1849-2', 2, 3, 96],
    ['en-1849-2', 3, 3, 8],
  ]);
  expect(pages[0]?.norm.name).toBe('EN 1849-2');
  const values = pages.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map(({ value }) => value)));
  expect(values).toEqual(Array.from({ length: 200 }, (_, i) => `${i + 1} mm`));
  expect([pageOf('en-1849-2', 4), pageOf('en-1931', 1), pageOf('en-1', 1)]).toEqual([undefined, undefined, undefined]);
});
