import type { ListedEntry } from '../loaders/entries.ts';
import type { LocalPage, Site } from './load-site.ts';
import { WELCOME_SLUG } from './paths.ts';

const MAX_PRODUCTS = 6;

export interface ChosenProduct {
  product: ListedEntry;
  /** All products of its family. */
  family: readonly ListedEntry[];
}

/** What the home page shows: the welcome text, if one is written, and the first deliverable product of each family. */
export function homeSelection(
  site: Pick<Site, 'localPages' | 'shelves'>,
  language: string,
): { welcome: LocalPage | undefined; products: ChosenProduct[] } {
  const first = site.shelves(language).flatMap(({ products: family }) => {
    const product = family.find(({ availability }) => availability === 'available') ?? family[0];
    return product ? [{ product, family }] : [];
  });
  return {
    welcome: site.localPages(language).find(({ slug }) => slug === WELCOME_SLUG),
    products: first.slice(0, MAX_PRODUCTS),
  };
}
