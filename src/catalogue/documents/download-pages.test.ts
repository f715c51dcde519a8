import { describe, expect, it } from 'vitest';
import { createProductEntry } from '../testing/create-product-entry.ts';
import {
  initialDownloads,
  downloadsPages,
  familyDownloadsPage,
  familyDownloadsPages,
  hasDownloads,
} from './download-pages.ts';
import type { Site } from '../site/load-site.ts';
import { createProductGroups } from '../site/product-groups.ts';

const products = (count: number) =>
  Array.from({ length: count }, (_, i) => createProductEntry({ gtin: `${count}-${i}`, position: i }));

/** A site with families of so many products; the last of them are of no family. */
function siteOf(...counts: number[]): Pick<Site, 'productGroups'> {
  const families = counts.slice(0, -1).map((_, i) => ({ id: `f${i}`, name: `F${i}` }));
  const lists = new Map(counts.map((count, i) => [families[i]?.id ?? '', products(count)]));
  const list = (productGroup: string) => lists.get(productGroup) ?? [];
  const productGroups = createProductGroups(
    {
      productGroups: () =>
        [...lists].flatMap(([productGroup, { length: count }]) =>
          count === 0
            ? []
            : {
                productGroup,
                count,
                highlights: [],
                columns: [],
                version: '',
                image: undefined,
                firstGtin: '',
                documentsDigest: '',
                zips: [],
                isMeasured: false,
                facets: [],
                shared: [],
              },
        ),
      productGroup: (_, productGroup) => list(productGroup),
      head: (_, productGroup, limit) => list(productGroup).slice(0, limit),
      product: () => undefined,
    },
    'de-de',
    families,
  );
  return { productGroups: () => productGroups };
}

describe.each([[[0]], [[3, 0]], [[3, 7, 13, 12, 1, 40]], [[5, 100, 64, 65, 2, 30, 200, 11]]])(
  'with families of %j products',
  (counts) => {
    const site = siteOf(...counts);

    it('shows the documents of every product on some page, and on none twice but for the first of a family', () => {
      const overview = downloadsPages(site, 'de-de').flatMap(({ productGroups }) => productGroups);
      const own = site
        .productGroups('de-de')
        .flatMap((productGroup) =>
          productGroup.family ? familyDownloadsPages({ family: productGroup.family, productGroup }) : [],
        )
        .flatMap(
          ({ family, number }) => familyDownloadsPage(site, { language: 'de-de', id: family.id, number })?.items ?? [],
        );
      const whole = overview.filter((productGroup) => !hasDownloads(productGroup)).flatMap(initialDownloads);
      const shown = [...own, ...whole].map(({ gtin }) => gtin);
      expect(shown.length).toBe(counts.reduce((a, b) => a + b, 0));
      expect(new Set(shown).size).toBe(shown.length);
    });

    it('numbers its pages, and has one where there is nothing', () => {
      const pages = downloadsPages(site, 'de-de');
      expect(pages.map(({ number }) => number)).toEqual(pages.map((_, i) => i + 1));
      expect(pages.length).toBeGreaterThan(0);
      for (const { productGroups } of pages) {
        const weight = productGroups.reduce((sum, productGroup) => sum + initialDownloads(productGroup).length, 0);
        expect(weight <= 32 || productGroups.length === 1).toBe(true);
      }
    });
  },
);
