import { renderContext } from './render-context.ts';
import { calculatorFamilies } from '../quantities/calculator-products.ts';
import { isComparable } from '../facets/facet-pages.ts';
import type { Site } from './load-site.ts';
import type { Family, FamilyGroup } from './product-groups.ts';

/**
 * Lists the families whose pages this build checks: all, or those that may have changed since the last build. A change
 * in one language selects the family in all languages, because its pages link to each other.
 */
export function groupsToRender(
  site: Pick<Site, 'languages' | 'productGroups'>,
): (FamilyGroup & { language: string })[] {
  const scope = renderContext.current?.scope;
  const isSelected = ({ id }: Family) =>
    !scope || site.languages.some(({ code }) => scope.productGroups.has(`${code}/${id}`));
  return site.languages.flatMap(({ code: language }) =>
    site
      .productGroups(language)
      .flatMap((productGroup) =>
        productGroup.family && isSelected(productGroup.family)
          ? { language, family: productGroup.family, productGroup }
          : [],
      ),
  );
}

/** Lists the families to render that can be filtered and compared. */
export function comparableGroupsToRender(site: Site): ReturnType<typeof groupsToRender> {
  return groupsToRender(site).filter(({ productGroup }) => isComparable(productGroup));
}

export function calculatorGroupsToRender(site: Site): ReturnType<typeof groupsToRender> {
  return groupsToRender(site).filter(({ language, family }) => calculatorFamilies(site, language).has(family.id));
}

/** Lists the product pages that this build checks: all, or those that may have changed since the last build. */
export function productsToRender(site: Site): { language: string; slug: string; gtin: string }[] {
  const { scope, productIndex } = renderContext.current ?? {};
  const listed = (scope?.products ?? productIndex?.().index() ?? []).map(({ data }) => data);
  const further = scope?.withCrossReferenced ? site.crossReferenced(scope.productGroups.size > 0) : [];
  const pages = new Map([...listed, ...further].map((page) => [`${page.pageLanguage}/${page.gtin}`, page]));
  return [...pages.values()].map(({ pageLanguage: language, slug, gtin }) => ({ language, slug, gtin }));
}
