import { toBcp47 } from '#contracts/product/index.ts';
import type { ListedEntry } from '#model/entries.ts';
import { WELCOME_SLUG } from '../addresses/paths.ts';
import type { Highlight } from '../products/key-values.ts';
import type { LocalPage, Site } from './site.ts';

const MAX_PRODUCTS = 6;

export interface ChosenProduct {
  product: ListedEntry;
  /** Of its family. */
  highlights: readonly Highlight[];
}

/** What the home page shows: the welcome text, if one is written, and the first deliverable product of each family. */
export function homeSelection(
  site: Pick<Site, 'localPages' | 'productGroups'>,
  language: string,
): { welcome: LocalPage | undefined; products: ChosenProduct[] } {
  const productGroups = site.productGroups(language).slice(0, MAX_PRODUCTS);
  return {
    welcome: welcomePage(site, language),
    products: productGroups.flatMap(({ first, highlights }) => (first ? [{ product: first, highlights }] : [])),
  };
}

/** The text that is written to welcome on the home page. */
function welcomePage(site: Pick<Site, 'localPages'>, language: string): LocalPage | undefined {
  return site.localPages(language).find(({ slug }) => slug === WELCOME_SLUG);
}

interface Addressed {
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
}

const countryNames = new Map<string, Intl.DisplayNames>();

/** The lines of an address, the country in the language of the page. */
export function makerAddress({ address, country }: Addressed, language: string): string[] {
  // To make one takes longer than most of what is on a page.
  const names = countryNames.get(language) ?? new Intl.DisplayNames(toBcp47(language), { type: 'region' });
  countryNames.set(language, names);
  const name = country && names.of(country);
  return [...address, ...(name ? [name] : [])];
}
