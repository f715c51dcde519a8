import type { APIRoute, GetStaticPaths } from 'astro';
import { reckonedProducts, toCalculatorProduct } from '../../../../catalogue/calculator-products.ts';
import { loadSite } from '../../../../catalogue/load-site.ts';
import { calculatorKey } from '../../../../catalogue/page-keys.ts';
import { calculatorsToRender, keyed } from '../../../../catalogue/to-render.ts';
import { createUi } from '../../../../i18n/index.ts';

export const getStaticPaths = (async () => {
  const site = await loadSite();
  return calculatorsToRender(site).map(({ language, family }) => ({
    params: { language, family },
    ...keyed(() => calculatorKey(site, language, family)),
  }));
}) satisfies GetStaticPaths;

/** What the calculator of a family reckons with: only the page that reckons loads it. */
export const GET: APIRoute = async ({ params: { language = '', family = '' } }) => {
  const site = await loadSite();
  const { langOf } = createUi(site.dictionaries, language, site.mainLanguage);
  const products = reckonedProducts(site, language, family).map((reckoned) => toCalculatorProduct(reckoned, langOf));
  return new Response(JSON.stringify(products), { headers: { 'Content-Type': 'application/json' } });
};
