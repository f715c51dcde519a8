import type { APIRoute, GetStaticPaths } from 'astro';
import { findGroup } from '#catalogue/site/family-pages.ts';
import { loadSite } from '#catalogue/site/load-site.ts';
import { comparableGroupsToRender } from '#catalogue/site/groups-to-render.ts';
import { makeFamilyTable } from '#components/facets/make-family-table.ts';
import { createUi } from '#i18n/index.ts';

export const getStaticPaths = (async () => {
  const site = await loadSite();
  return comparableGroupsToRender(site).map(({ language, family }) => ({ params: { language, family: family.id } }));
}) satisfies GetStaticPaths;

export const GET: APIRoute = async ({ params: { language = '', family = '' } }) => {
  const site = await loadSite();
  const ui = createUi(site.dictionaries, language, site.mainLanguage);
  const productGroup = findGroup(site, language, family);
  const table = makeFamilyTable(productGroup?.products ?? [], productGroup?.highlights ?? [], ui);
  return new Response(`${JSON.stringify(table)}\n`, { headers: { 'content-type': 'application/json' } });
};
