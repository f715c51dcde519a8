import type { PageEntry } from '#catalogue/entries/entries.ts';
import {
  downloadsPath,
  isReservedPath,
  WELCOME_SLUG,
  journalPath,
  podcastPath,
  productsPath,
} from '../addresses/paths.ts';
import { cacheByText } from '../cache.ts';
import type { Options } from '#config/index.ts';
import type { Site, LocalPage } from './load-site.ts';
import { baseLanguage, pickText } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import { trackedQuery } from './tracked-queries.ts';
import { sitePath } from '../addresses/site-paths.ts';

const topPages = trackedQuery('topPages', ['pages'], (site: Pick<Site, 'pages'>, language: string) =>
  site
    .pages(language)
    .filter(({ ancestors }) => ancestors.length === 0)
    .map(({ title, path }) => ({ name: title, href: path })),
);

/** Returns the links of the project in a language. A missing label or address is that of the main language. */
export function configuredLinks(
  { mainLanguage }: Pick<Site, 'mainLanguage'>,
  language: string,
  links: Options['navigation']['footer']['links'],
): { name: string; href: string; lang: string | undefined }[] {
  return links.flatMap(({ label, link }) => {
    const name = pickText(label, language, mainLanguage);
    const href = pickText(link, language, mainLanguage);
    if (!name || !href) return [];
    const isBorrowed = typeof label !== 'string' && !(language in label) && !(baseLanguage(language) in label);
    return {
      name,
      href: href.startsWith('/') ? sitePath(href) : href,
      lang: isBorrowed ? toBcp47(mainLanguage) : undefined,
    };
  });
}

/**
 * Returns the main navigation: the catalogue, its documents, the journal and podcast if there are any, the top-level
 * pages, and the links of the project.
 */
export function navigation(
  site: Pick<Site, 'pages' | 'hasPosts' | 'hasPodcast' | 'mainLanguage'>,
  language: string,
  path: string,
  names: Record<'products' | 'downloads' | 'journal' | 'podcast', string>,
  { hide, links: own }: Options['navigation']['header'],
) {
  const links: { key: string; name: string; href: string; also?: string; lang?: string | undefined }[] = [
    { key: 'products', name: names.products, href: productsPath(language), also: sitePath(`/${language}/p/`) },
    { key: 'downloads', name: names.downloads, href: downloadsPath(language) },
    ...(site.hasPosts(language) ? [{ key: 'journal', name: names.journal, href: journalPath(language) }] : []),
    ...(site.hasPodcast(language) ? [{ key: 'podcast', name: names.podcast, href: podcastPath(language) }] : []),
    ...topPages(site, language).map((page) => ({ key: 'pages', ...page })),
    ...configuredLinks(site, language, own).map((link) => ({ key: 'links', ...link })),
  ].filter(({ key }) => !hide.some((hidden) => hidden === key));
  return links.map(({ name, href, also = href, lang }) => ({
    name,
    href,
    lang,
    current: path === href,
    /** True if the current page is a descendant. */
    within: path !== href && [href, also].some((start) => path.startsWith(start)),
  }));
}

/**
 * Returns the slug paths of all pages in a language. A local page takes precedence over an imported one with the same
 * path.
 */
export function pageSlugPaths(site: Pick<Site, 'pages' | 'localPages'>, language: string): string[] {
  const local = site
    .localPages(language)
    .map(({ slug }) => slug)
    .filter((slug) => slug !== WELCOME_SLUG && !isReservedPath(slug));
  const published = site.pages(language).map(({ slugPath }) => slugPath);
  return [...new Set([...local, ...published])];
}

/**
 * Returns the local pages in the footer. Pages missing in a language fall back to the main language, because an imprint
 * must be available everywhere.
 */
export function footerPages(site: Pick<Site, 'localPages' | 'mainLanguage'>, language: string): LocalPage[] {
  const listed = (code: string) => site.localPages(code).filter(({ entry }) => entry.data.order !== undefined);
  const localized = listed(language);
  const slugs = new Set(localized.map(({ slug }) => slug));
  const fallbacks = listed(site.mainLanguage).filter(({ slug }) => !slugs.has(slug));
  return [...localized, ...fallbacks].toSorted((a, b) => (a.entry.data.order ?? 0) - (b.entry.data.order ?? 0));
}

export interface ListPage<T> {
  items: T[];
  /** One-based. */
  number: number;
  total: number;
}

/** Returns the number of each page, with the total. */
export const numberPages = (total: number) => Array.from({ length: total }, (_, i) => ({ number: i + 1, total }));

/** Splits a list into pages. An empty list has one empty page. */
export function paginate<T>(items: readonly T[], size: number): ListPage<T>[] {
  const pages = numberPages(Math.max(1, Math.ceil(items.length / size)));
  return pages.map((page) => ({ items: items.slice((page.number - 1) * size, page.number * size), ...page }));
}

/**
 * Returns the ancestors of a page from the top, and its branch: the top page and its direct children. A page without
 * children has no branch.
 */
export function pageBranch(
  site: Pick<Site, 'pages' | 'page'>,
  page: PageEntry,
): { above: PageEntry[]; around: PageEntry[] } {
  const above = page.ancestors.flatMap((id) => site.page(id) ?? []);
  const top = above[0] ?? page;
  const topId = `${top.language}/${top.slugPath}`;
  const below = site.pages(page.language).filter(({ ancestors }) => ancestors[0] === topId);
  return { above, around: below.length === 0 ? [] : [top, ...below] };
}

const MAX_PRODUCTS = 6;

/**
 * Returns the content of the home page: the welcome text, if there is one, and the first available product of each
 * family.
 */
export function homeSelection(site: Pick<Site, 'localPages' | 'productGroups'>, language: string) {
  const productGroups = site.productGroups(language).slice(0, MAX_PRODUCTS);
  return {
    welcome: site.localPages(language).find(({ slug }) => slug === WELCOME_SLUG),
    products: productGroups.flatMap(({ first, highlights }) => (first ? [{ product: first, highlights }] : [])),
  };
}

interface PostalAddress {
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
}

/** Cached, because a lookup is slow. */
const countryNames = cacheByText((language) => {
  const names = new Intl.DisplayNames(toBcp47(language), { type: 'region' });
  return cacheByText((country) => names.of(country));
});

/** Returns the lines of an address, with the country in the language of the page. */
export function makerAddress({ address, country }: PostalAddress, language: string): string[] {
  const name = country && countryNames(language)(country);
  return [...address, ...(name ? [name] : [])];
}
