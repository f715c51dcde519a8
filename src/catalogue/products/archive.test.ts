import { describe, expect, it } from 'vitest';
import type { ProductEntry } from '#catalogue/entries/entries.ts';
import { alternates } from '../addresses/paths-by-language.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { productChoices, chooseSuccessor, successorChain, findSuccessor } from './listed-product.ts';
import { createPriceView } from './price.ts';

const archived = (changes: Partial<NonNullable<ProductEntry['archived']>> = {}) => ({
  since: new Date(0),
  reason: 'gone' as const,
  everywhere: true,
  ...changes,
});
const product = (gtin: string, isArchived = false) =>
  createProductEntry({ gtin, archived: isArchived ? archived() : undefined });
const chosen = (of: ProductEntry, ...chain: ProductEntry[]) => chooseSuccessor(of, chain)?.gtin;

describe('an archived product', () => {
  it('has no price, whatever the site states', () => {
    const rule = { show: 'net', vat: {}, currency: 'EUR' } as const;
    expect(createPriceView(product('a', true), rule, 'de-de')).toEqual({ kind: 'hidden' });
    expect(createPriceView(product('a'), rule, 'de-de')).toMatchObject({ amount: '142.50' });
  });

  it('and its translations that are still offered lead to each other, but are no alternates', () => {
    const languages = ['de-de', 'en-gb', 'fr-fr', 'it-it'].map((code) => ({ code, name: code }));
    const shared = {
      slugs: Object.fromEntries(languages.map(({ code }) => [code, 'x'])),
      translations: ['fr-fr'],
      archivedTranslations: ['de-de', 'en-gb'],
    };
    const gone = createProductEntry({ ...shared, archived: archived({ everywhere: false }) });
    const offered = createProductEntry({ ...shared, pageLanguage: 'fr-fr' });
    const rule = { mainLanguage: 'de-de', site: new URL('https://site.example') };
    for (const product of [gone, offered]) {
      expect(productChoices(languages, product).map(({ path, translated }) => [path, translated])).toEqual([
        ['/de-de/p/x/', true],
        ['/en-gb/p/x/', true],
        ['/fr-fr/p/x/', true],
        ['/it-it/p/x/', false],
      ]);
    }
    const named = alternates(productChoices(languages, gone), rule);
    expect(named.map(({ hreflang }) => hreflang)).toEqual(['de-DE', 'en-GB', 'x-default']);
    expect(alternates(productChoices(languages, offered), rule)).toEqual([]);
    const all = createProductEntry({ ...shared, translations: ['de-de', 'en-gb', 'fr-fr'] });
    const shown = alternates(
      productChoices(languages, all, (code) => code === 'en-gb'),
      rule,
    );
    expect(shown.map(({ hreflang }) => hreflang)).toEqual(['de-DE', 'fr-FR', 'x-default']);
  });
});

describe('the successor', () => {
  const overlays: Record<string, { successor?: string }> = {
    'de-de/a': { successor: 'b' },
    a: { successor: 'c' },
    b: { successor: 'c' },
    c: {},
  };
  const chainOf = (language: string) => successorChain('a', (of) => findSuccessor(language, of, (id) => overlays[id]));

  it('is what is written for the language, or else for all', () => {
    expect(chainOf('de-de')).toEqual(['b', 'c']);
    expect(chainOf('en-gb')).toEqual(['c']);
  });

  it('comes to an end when products follow each other in a circle', () => {
    expect(successorChain('a', (of) => (of === 'a' ? 'b' : 'a'))).toEqual(['b', 'a']);
  });

  it('is the first of the chain that is still offered', () => {
    expect(chosen(product('a', true), product('b', true), product('c'), product('d'))).toBe('c');
    expect(chosen(product('a'), product('b'))).toBe('b');
  });

  it('of an archived product may be archived too, of one that is offered not', () => {
    expect(chosen(product('a', true), product('b', true), product('c', true))).toBe('c');
    expect(chosen(product('a'), product('b', true))).toBeUndefined();
    expect(chosen(product('a', true), product('a', true))).toBeUndefined();
  });
});
