import { describe, expect, it } from 'vitest';
import * as paths from './paths.ts';

describe('paths', () => {
  it('starts each with the language exactly as the interface writes it', () => {
    expect(paths.homePath('de-de')).toBe('/de-de/');
    expect(paths.productsPath('de-de')).toBe('/de-de/products/');
    expect(paths.familyPath('en-gb', 'tapes')).toBe('/en-gb/products/tapes/');
    expect(paths.productPath('fr-fr', 'diffrana-vario-75-9524010000016')).toBe(
      '/fr-fr/p/diffrana-vario-75-9524010000016/',
    );
    expect(paths.journalPath('de-de')).toBe('/de-de/journal/');
    expect(paths.postPath('de-de', 'kleben-bei-kaelte')).toBe('/de-de/journal/kleben-bei-kaelte/');
    expect(paths.pagePath('de-de', 'unternehmen/karriere')).toBe('/de-de/unternehmen/karriere/');
    expect(paths.feedPath('de-de')).toBe('/de-de/rss.xml');
  });

  it('keeps the addresses of the catalogue for the catalogue', () => {
    expect(paths.isReservedPath('products')).toBe(true);
    expect(paths.isReservedPath('p/anything')).toBe(true);
    expect(paths.isReservedPath('company/products')).toBe(false);
  });
});
