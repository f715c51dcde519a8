import { describe, expect, it } from 'vitest';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { downloadsHead, downloadsOf, downloadsPages, familyDownloadsPages, hasDownloads } from './download-pages.ts';
import type { Site } from '../site/load-site.ts';
import { stockShelves } from '../site/stock-shelves.ts';

const products = (count: number) =>
  Array.from({ length: count }, (_, i) => createProductEntry({ gtin: `${count}-${i}`, position: i }));

/** A site with families of so many products; the last of them are of no family. */
function siteOf(...counts: number[]): Pick<Site, 'shelves'> {
  const families = counts.slice(0, -1).map((_, i) => ({ id: `f${i}`, name: `F${i}` }));
  const lists = new Map(counts.map((count, i) => [families[i]?.id ?? '', products(count)]));
  const list = (shelf: string) => lists.get(shelf) ?? [];
  const shelves = stockShelves(
    {
      shelves: () =>
        [...lists].flatMap(([shelf, { length: count }]) =>
          count === 0
            ? []
            : {
                shelf,
                count,
                summary: '',
                highlights: [],
                image: undefined,
                firstGtin: '',
                documents: { count: 0, head: '', all: '' },
                isMeasured: false,
                facets: [],
              },
        ),
      shelf: (_, shelf) => list(shelf),
      head: (_, shelf, limit) => list(shelf).slice(0, limit),
      product: () => undefined,
    },
    'de-de',
    families,
  );
  return { shelves: () => shelves };
}

describe.each([[[0]], [[3, 0]], [[3, 7, 13, 12, 1, 40]], [[5, 100, 64, 65, 2, 30, 200, 11]]])(
  'with families of %j products',
  (counts) => {
    const site = siteOf(...counts);

    it('shows the documents of every product on some page, and on none twice but for the first of a family', () => {
      const overview = downloadsPages(site, 'de-de').flatMap(({ shelves }) => shelves);
      const own = site
        .shelves('de-de')
        .flatMap((shelf) => (shelf.family ? familyDownloadsPages({ family: shelf.family, shelf }) : []))
        .flatMap(downloadsOf);
      const whole = overview.filter((shelf) => !hasDownloads(shelf)).flatMap(downloadsHead);
      const shown = [...own, ...whole].map(({ gtin }) => gtin);
      expect(shown.length).toBe(counts.reduce((a, b) => a + b, 0));
      expect(new Set(shown).size).toBe(shown.length);
    });

    it('numbers its pages, and has one where there is nothing', () => {
      const pages = downloadsPages(site, 'de-de');
      expect(pages.map(({ number }) => number)).toEqual(pages.map((_, i) => i + 1));
      expect(pages.length).toBeGreaterThan(0);
      for (const { shelves } of pages) {
        const weight = shelves.reduce((sum, shelf) => sum + downloadsHead(shelf).length, 0);
        expect(weight <= 32 || shelves.length === 1).toBe(true);
      }
    });
  },
);
