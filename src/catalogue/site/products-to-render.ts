import { renderContext } from './render-context.ts';
import type { Site } from './load-site.ts';

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
