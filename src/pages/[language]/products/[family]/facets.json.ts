import type { APIRoute } from 'astro';
import { findGroup } from '#catalogue/site/family-pages.ts';
import { comparableGroupsToRender } from '#catalogue/site/pages-to-render.ts';
import { makeFamilyTable } from '#components/facets/make-family-table.ts';
import { familyPaths, loadFile } from '#components/layouts/list-page.ts';

export const getStaticPaths = familyPaths(comparableGroupsToRender);

export const GET: APIRoute = async ({ params: { language = '', family = '' } }) => {
  const { site, ui } = await loadFile(language);
  const productGroup = findGroup(site, language, family);
  if (!productGroup) return new Response(undefined, { status: 404 });
  const table = makeFamilyTable(productGroup.products, productGroup, ui);
  return new Response(`${JSON.stringify(table)}\n`, { headers: { 'content-type': 'application/json' } });
};
