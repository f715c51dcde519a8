import { toBcp47 } from '#contracts/product/index.ts';
import type { ProductListEntry } from '#model/entries.ts';
import { WELCOME_SLUG } from '../addresses/paths.ts';
import type { Highlight } from '../products/key-values.ts';
import type { LocalPage, Site } from './site.ts';

const MAX_PRODUCTS = 6;

export interface HomeProduct {
  product: ProductListEntry;
  /** Highlights of its family. */
  highlights: readonly Highlight[];
}

/**
 * Returns the content of the home page: the welcome text, if there is one, and the first available product of each
 * family.
 */
export function homeSelection(
  site: Pick<Site, 'localPages' | 'productGroups'>,
  language: string,
): { welcome: LocalPage | undefined; products: HomeProduct[] } {
  const productGroups = site.productGroups(language).slice(0, MAX_PRODUCTS);
  return {
    welcome: welcomePage(site, language),
    products: productGroups.flatMap(({ first, highlights }) => (first ? [{ product: first, highlights }] : [])),
  };
}

/** Finds the local page with the welcome text. */
function welcomePage(site: Pick<Site, 'localPages'>, language: string): LocalPage | undefined {
  return site.localPages(language).find(({ slug }) => slug === WELCOME_SLUG);
}

interface PostalAddress {
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
}

/** Cached by language and country, because a lookup is slow. */
const countryNames = new Map<string, string | undefined>();

function nameCountry(country: string, language: string): string | undefined {
  const key = `${language} ${country}`;
  if (!countryNames.has(key))
    countryNames.set(key, new Intl.DisplayNames(toBcp47(language), { type: 'region' }).of(country));
  return countryNames.get(key);
}

/** Returns the lines of an address, with the country in the language of the page. */
export function makerAddress({ address, country }: PostalAddress, language: string): string[] {
  const name = country && nameCountry(country, language);
  return [...address, ...(name ? [name] : [])];
}
