import type { APIRoute } from 'astro';
import { listProductNeeds, toCalculatorProduct } from '#catalogue/quantities/calculator-products.ts';
import { calculatorGroupsToRender } from '#catalogue/site/pages-to-render.ts';
import { familyPaths, loadFile } from '#components/layouts/list-page.ts';

export const getStaticPaths = familyPaths(calculatorGroupsToRender);

/** Data of a family's calculator, loaded only by its page. */
export const GET: APIRoute = async ({ params: { language = '', family = '' } }) => {
  const { site, ui } = await loadFile(language);
  const products = listProductNeeds(site, language, family).map((calculated) => toCalculatorProduct(calculated, ui));
  return new Response(JSON.stringify(products), { headers: { 'Content-Type': 'application/json' } });
};
