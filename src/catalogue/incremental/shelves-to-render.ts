import { BUILD_HOST } from '../port/build-host.ts';
import { calculatorFamilies } from '../quantities/calculator-products.ts';
import { isComparable } from '../facets/comparable-families.ts';
import type { Site } from '../site/load-site.ts';
import type { Family, FamilyShelf } from '../site/stock-shelves.ts';

/**
 * Families whose pages this build looks at: all, or those that may show something else since the last build. Their
 * pages link to those in the other languages, so all are looked at when the family has changed in one of them.
 */
export function shelvesToRender(site: Pick<Site, 'languages' | 'shelves'>): (FamilyShelf & { language: string })[] {
  const scope = globalThis[BUILD_HOST]?.scope;
  const isLookedAt = ({ id }: Family) =>
    !scope || site.languages.some(({ code }) => scope.shelves.has(`${code}/${id}`));
  return site.languages.flatMap(({ code: language }) =>
    site
      .shelves(language)
      .flatMap((shelf) => (shelf.family && isLookedAt(shelf.family) ? { language, family: shelf.family, shelf } : [])),
  );
}

/** Those that can be filtered and compared. */
export function comparableToRender(site: Site): ReturnType<typeof shelvesToRender> {
  return shelvesToRender(site).filter(({ shelf }) => isComparable(shelf));
}

/** Those with a calculator. */
export function calculatorsToRender(site: Site): ReturnType<typeof shelvesToRender> {
  return shelvesToRender(site).filter(({ language, family }) => calculatorFamilies(site, language).has(family.id));
}
