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

/** Lists the families to render that have a calculator. */
export function calculatorGroupsToRender(site: Site): ReturnType<typeof groupsToRender> {
  return groupsToRender(site).filter(({ language, family }) => calculatorFamilies(site, language).has(family.id));
}

interface ProductPage {
  language: string;
  slug: string;
  gtin: string;
}

/** Lists the product pages that this build checks: all, or those that may have changed since the last build. */
export function productsToRender(site: Site): ProductPage[] {
  const { scope, productIndex } = renderContext.current ?? {};
  const products = scope?.products ?? productIndex?.().index() ?? [];
  const listed = products.map(({ data }) => ({ language: data.pageLanguage, slug: data.slug, gtin: data.gtin }));
  if (!scope?.withCrossReferenced) return listed;
  const listedKeys = new Set(listed.map(({ language, gtin }) => `${language}/${gtin}`));
  const crossReferenced = site
    .crossReferenced(scope.productGroups.size > 0)
    .filter(({ pageLanguage, gtin }) => !listedKeys.has(`${pageLanguage}/${gtin}`));
  return [
    ...listed,
    ...crossReferenced.map(({ pageLanguage, slug, gtin }) => ({ language: pageLanguage, slug, gtin })),
  ];
}
