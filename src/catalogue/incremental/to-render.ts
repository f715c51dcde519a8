import { renderContext } from '../port/render-context.ts';
import type { Site } from '../site/site.ts';

interface ProductPage {
  language: string;
  slug: string;
  gtin: string;
}

/** Product pages that this build looks at: all, or those that may show something else since the last build. */
export function productsToRender(site: Site): ProductPage[] {
  const { scope, productIndex } = renderContext.current ?? {};
  const products = scope?.products ?? productIndex?.().index() ?? [];
  const listed = products.map(({ data }) => ({ language: data.pageLanguage, slug: data.slug, gtin: data.gtin }));
  if (!scope?.withCrossReferenced) return listed;
  const known = new Set(listed.map(({ language, gtin }) => `${language}/${gtin}`));
  const others = site
    .crossReferenced(scope.productGroups.size > 0)
    .filter(({ pageLanguage, gtin }) => !known.has(`${pageLanguage}/${gtin}`));
  return [...listed, ...others.map(({ pageLanguage, slug, gtin }) => ({ language: pageLanguage, slug, gtin }))];
}
