import type { APIRoute } from 'astro';
import { catalogueFacets, makeCatalogueTable } from '#catalogue/facets/catalogue-facets.ts';
import { languagePaths, loadFile } from '#components/layouts/list-page.ts';

export const getStaticPaths = languagePaths;

export const GET: APIRoute = async ({ params: { language = '' } }) => {
  const { site } = await loadFile(language);
  const table = makeCatalogueTable(site.productGroups(language), catalogueFacets(site, language));
  return new Response(`${JSON.stringify(table)}\n`, { headers: { 'content-type': 'application/json' } });
};
