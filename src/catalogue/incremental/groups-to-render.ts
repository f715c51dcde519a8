import { renderContext } from '../port/render-context.ts';
import { calculatorFamilies } from '../quantities/calculator-products.ts';
import { isComparable } from '../facets/comparable-families.ts';
import type { Site } from '../site/site.ts';
import type { Family, FamilyGroup } from '../site/product-groups.ts';

/**
 * Families whose pages this build looks at: all, or those that may show something else since the last build. Their
 * pages link to those in the other languages, so all are looked at when the family has changed in one of them.
 */
export function groupsToRender(
  site: Pick<Site, 'languages' | 'productGroups'>,
): (FamilyGroup & { language: string })[] {
  const scope = renderContext.current?.scope;
  const isLookedAt = ({ id }: Family) =>
    !scope || site.languages.some(({ code }) => scope.productGroups.has(`${code}/${id}`));
  return site.languages.flatMap(({ code: language }) =>
    site
      .productGroups(language)
      .flatMap((productGroup) =>
        productGroup.family && isLookedAt(productGroup.family)
          ? { language, family: productGroup.family, productGroup }
          : [],
      ),
  );
}

/** Those that can be filtered and compared. */
export function comparableToRender(site: Site): ReturnType<typeof groupsToRender> {
  return groupsToRender(site).filter(({ productGroup }) => isComparable(productGroup));
}

/** Those with a calculator. */
export function calculatorsToRender(site: Site): ReturnType<typeof groupsToRender> {
  return groupsToRender(site).filter(({ language, family }) => calculatorFamilies(site, language).has(family.id));
}
