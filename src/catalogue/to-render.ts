import { BUILD_HOST } from '../loaders/build-host.ts';
import { calculatorFamilies } from './calculator-products.ts';
import { familyPages, type FamilyPage } from './family-pages.ts';
import type { Site } from './load-site.ts';
import { readCollection } from './read-collection.ts';
import type { Family, Shelf } from './stock-shelves.ts';

interface ProductPage {
  language: string;
  slug: string;
  gtin: string;
}

/** Product pages that this build looks at: all, or those that may show something else since the last build. */
export async function productsToRender(site: Site): Promise<ProductPage[]> {
  const products = await readCollection('products');
  const listed = products.map(({ data }) => ({ language: data.pageLanguage, slug: data.slug, gtin: data.gtin }));
  if (!globalThis[BUILD_HOST]?.scope) return listed;
  const known = new Set(listed.map(({ language, gtin }) => `${language}/${gtin}`));
  const others = site.entwined().filter(({ pageLanguage, gtin }) => !known.has(`${pageLanguage}/${gtin}`));
  return [...listed, ...others.map(({ pageLanguage, slug, gtin }) => ({ language: pageLanguage, slug, gtin }))];
}

/** The same for the lists of families. */
export function familiesToRender(site: Site): (FamilyPage & { language: string })[] {
  return site.languages.flatMap(({ code: language }) =>
    familyPages(site, language)
      .filter(({ family }) => isInScope(site, family.id))
      .map((page) => ({ ...page, language })),
  );
}

/** The same for the calculators of families. */
export function calculatorsToRender(site: Site): { language: string; family: string }[] {
  return site.languages.flatMap(({ code: language }) =>
    [...calculatorFamilies(site, language)]
      .filter((family) => isLookedAt(language, family))
      .map((family) => ({ language, family })),
  );
}

/** Whether this build looks at the pages of a family. */
export function isLookedAt(language: string, family: string): boolean {
  const scope = globalThis[BUILD_HOST]?.scope;
  return !scope || scope.shelves.has(`${language}/${family}`);
}

/** And for all else that is made of a family's shelf. */
export function shelvesToRender(site: Site): { language: string; family: Family; shelf: Shelf }[] {
  return site.languages.flatMap(({ code: language }) =>
    site
      .shelves(language)
      .flatMap((shelf) =>
        shelf.family && isInScope(site, shelf.family.id) ? { language, family: shelf.family, shelf } : [],
      ),
  );
}

/** Pages of a family name those of the other languages: they are looked at together. */
function isInScope({ languages }: Site, family: string): boolean {
  const scope = globalThis[BUILD_HOST]?.scope;
  return !scope || languages.some(({ code }) => scope.shelves.has(`${code}/${family}`));
}

/**
 * The key of a page as `getStaticPaths` gives it; none where nobody asks for it (threads only render), or where it
 * isn't known what the page shows.
 */
export function keyed(key: () => string | undefined): { cacheKey?: string } {
  const cacheKey = globalThis[BUILD_HOST]?.keyless ? undefined : key();
  return cacheKey === undefined ? {} : { cacheKey };
}
