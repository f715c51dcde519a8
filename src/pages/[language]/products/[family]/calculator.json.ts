import type { APIRoute, GetStaticPaths } from 'astro';
import { listProductNeeds, toCalculatorProduct } from '#catalogue/quantities/calculator-products.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { calculatorGroupsToRender } from '#catalogue/site/groups-to-render.ts';
import { createUi } from '#i18n/index.ts';

export const getStaticPaths = (async () => {
  const site = await loadSite();
  return calculatorGroupsToRender(site).map(({ language, family }) => ({
    params: { language, family: family.id },
  }));
}) satisfies GetStaticPaths;

/** Data of a family's calculator, loaded only by its page. */
export const GET: APIRoute = async ({ params: { language = '', family = '' } }) => {
  const site = await loadSite();
  const ui = createUi(site.dictionaries, language, site.mainLanguage);
  const products = listProductNeeds(site, language, family).map((calculated) => toCalculatorProduct(calculated, ui));
  return new Response(JSON.stringify(products), { headers: { 'Content-Type': 'application/json' } });
};
