import { familyPath, pageParam, productsPath } from '#catalogue/addresses/paths.ts';
import { groupsToRender } from '#catalogue/site/pages-to-render.ts';
import type { Crumb } from '#catalogue/seo/linked-data.ts';
import { loadSite, type Site } from '#catalogue/site/load-site.ts';
import type { Family, FamilyGroup } from '#catalogue/site/product-groups.ts';
import { createPageUi, createUi, type Ui } from '#i18n/index.ts';

/** Loads the site and the texts of an HTML page. */
export async function loadPage(language: string): Promise<{ site: Site; ui: Ui }> {
  const site = await loadSite();
  const ui = createPageUi(site.dictionaries, language, site.mainLanguage);
  return { site, ui: { ...ui, isMixed: ui.isMixed || site.borrowsTexts(language) } };
}

/** Loads the site and the texts of a feed or another file. */
export async function loadFile(language: string): Promise<{ site: Site; ui: Ui }> {
  const site = await loadSite();
  return { site, ui: createUi(site.dictionaries, language, site.mainLanguage) };
}

/** `getStaticPaths` of a page of each language. */
export async function languagePaths() {
  const { languages } = await loadSite();
  return languages.map(({ code }) => ({ params: { language: code } }));
}

/** `getStaticPaths` of the feeds of all journals. */
export async function journalPaths() {
  const site = await loadSite();
  return (await languagePaths()).filter(({ params }) => site.hasPosts(params.language));
}

type PageParams = Readonly<Record<string, string>>;

/** Creates `getStaticPaths` of a page for each item in each language. */
export function itemPaths<Params extends PageParams>(paramsOf: (site: Site, language: string) => readonly Params[]) {
  return async () => {
    const site = await loadSite();
    return site.languages.flatMap(({ code: language }) =>
      paramsOf(site, language).map((params) => ({ params: { language, ...params } })),
    );
  };
}

/** `getStaticPaths` of the page of each episode, and of its other formats. */
export const episodePaths = itemPaths((site, language) => site.episodes(language).map(({ slug }) => ({ slug })));

/** Creates `getStaticPaths` of the numbered pages of a list in each language. */
export function listPaths<Page extends { number: number }, Params extends PageParams = Record<never, never>>(
  pagesOf: (site: Site, language: string) => readonly Page[],
  paramsOf?: (page: Page) => Params,
) {
  return async () => {
    const site = await loadSite();
    return site.languages.flatMap(({ code: language }) =>
      pagesOf(site, language).map((page) => numbered(page, { language, ...(paramsOf?.(page) as Params) })),
    );
  };
}

/** Creates `getStaticPaths` of the numbered pages of lists of each family. */
export function familyListPaths<Page extends { number: number }, Params extends PageParams = Record<never, never>>(
  pagesOf: (group: FamilyGroup & { language: string }, site: Site) => readonly Page[],
  paramsOf?: (page: Page) => Params,
) {
  return async () => {
    const site = await loadSite();
    return groupsToRender(site).flatMap((group) =>
      pagesOf(group, site).map((page) =>
        numbered(page, { language: group.language, family: group.family.id, ...(paramsOf?.(page) as Params) }),
      ),
    );
  };
}

function numbered<Params extends PageParams>({ number }: { number: number }, params: Params) {
  return { params: { ...params, page: pageParam(number) }, props: { number } };
}

/** Creates `getStaticPaths` of a page of each selected family. */
export function familyPaths(select: (site: Site) => ReturnType<typeof groupsToRender>) {
  return async () =>
    select(await loadSite()).map(({ language, family }) => ({ params: { language, family: family.id } }));
}

export function familyCrumbs({ t, language }: Ui, { id, name }: Family, ...below: Crumb[]): Crumb[] {
  return [
    { name: t('nav.products'), path: productsPath(language) },
    { name, path: familyPath(language, id) },
    ...below,
  ];
}
