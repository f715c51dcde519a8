import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { classifyGtin, parseGtin } from '#contracts/index.ts';
import type { ParsedPage } from './parse-page.ts';

/** Audits all pages for the requirements of search engines. */
export interface SitemapEntry {
  url: string;
  lastmod: string | undefined;
  /** URLs of images. */
  images: string[];
}

export interface SearchAudit {
  /** `path: problem`. */
  problems: string[];
  /** Number of pages checked for each rule, so that no rule passes without pages. */
  looked: Record<
    'pictures' | 'products' | 'breadcrumbs' | 'alternates' | 'canonicals' | 'sitemap' | 'previews' | 'texts',
    number
  >;
}

/**
 * @param sitemap Entries of the sitemap by URL.
 * @param siteUrl Without a trailing slash.
 */
export function auditSearch(
  pages: readonly ParsedPage[],
  sitemap: readonly SitemapEntry[],
  siteUrl: string,
): SearchAudit {
  const problems: string[] = [];
  const byUrl = new Map(pages.map((page) => [siteUrl + page.path, page]));
  const indexable = pages.filter(
    ({ noindex, path, canonicals }) => !noindex && isAddress(path) && canonicals.length > 0,
  );
  const report = ({ path }: ParsedPage, found: readonly (string | false | undefined)[]): void => {
    for (const problem of found) if (typeof problem === 'string') problems.push(`${path}: ${problem}`);
  };
  for (const page of pages) report(page, [...auditCanonical(page, siteUrl), ...auditPreview(page)]);
  problems.push(...auditNames(pages));
  const found = indexable.filter(({ path, canonicals }) => canonicals[0] === siteUrl + path);
  problems.push(...auditTexts(found));
  for (const page of found) report(page, auditPage(page, siteUrl));
  const products = pages.filter(({ path }) => /^\/[^/]+\/p\/[^/]+\/$/.test(path) && !isMoved(path, byUrl, siteUrl));
  for (const page of products) report(page, auditProduct(page, siteUrl));
  const deep = indexable.filter(
    ({ path }) => path.split('/').length > 3 && !path.startsWith('/01/') && !isMoved(path, byUrl, siteUrl),
  );
  for (const page of deep) report(page, auditBreadcrumb(page, siteUrl));
  const translated = pages.filter(({ alternates }) => alternates.length > 0);
  for (const page of translated) report(page, auditAlternates(page, byUrl, siteUrl));
  const listed = new Set(sitemap.map(({ url }) => url));
  if (listed.size !== sitemap.length) problems.push('sitemap: an address stands there twice');
  for (const page of indexable) {
    const url = siteUrl + page.path;
    const isOwn = page.canonicals[0] === url;
    report(page, [
      isOwn && !listed.has(url) && 'is not in the sitemap',
      !isOwn && listed.has(url) && 'is in the sitemap',
    ]);
  }
  for (const { url, lastmod, images } of sitemap) {
    const page = byUrl.get(url);
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(lastmod ?? '')) problems.push(`sitemap: ${url} has no date`);
    const pictures = (page?.nodes ?? []).flatMap(picturesOf);
    if (String(images) !== String(pictures)) problems.push(`sitemap: ${url} has other pictures than its page`);
    if (!page || page.noindex) problems.push(`sitemap: ${url} is no page for search engines`);
  }
  return {
    problems,
    looked: {
      pictures: sitemap.filter(({ images }) => images.length > 0).length,
      products: products.length,
      breadcrumbs: deep.length,
      alternates: translated.length,
      canonicals: pages.length,
      sitemap: sitemap.length,
      previews: pages.length,
      texts: found.length,
    },
  };
}

/** Returns the images of a node; a node that only refers to an image is covered by the image's own node. */
function picturesOf({ '@type': type, image, contentUrl }: Record<string, unknown>): unknown[] {
  if (type === 'ImageObject') return [contentUrl];
  return Array.isArray(image) ? image.filter((one) => typeof one === 'string') : [];
}

const decode = (text: string | undefined): string => (text ?? '').replaceAll('&amp;', '&');

/** Reads the sitemaps of a built site. */
export function readSitemap(dist: string): SitemapEntry[] {
  return readdirSync(dist)
    .filter((file) => /^sitemap-\d+\.xml$/.test(file))
    .flatMap((file) => readFileSync(path.join(dist, file), 'utf8').split('<url>').slice(1))
    .map((entry) => ({
      url: decode(/<loc>([^<]+)/.exec(entry)?.[1]),
      lastmod: /<lastmod>([^<]+)/.exec(entry)?.[1],
      images: [...entry.matchAll(/<image:loc>([^<]+)/g)].map(([, image]) => decode(image)),
    }));
}

/** Files such as `404.html` are not URLs of pages. */
const isAddress = (path: string): boolean => path.endsWith('/');

/** True for a page that redirects to another one. */
function isMoved(path: string, byUrl: ReadonlyMap<string, ParsedPage>, siteUrl: string): boolean {
  return byUrl.get(siteUrl + path)?.metas.has('og:type') === false;
}

function nodesOf(page: ParsedPage, type: string): Record<string, unknown>[] {
  return page.nodes.filter((node) => node['@type'] === type);
}

function auditProduct(page: ParsedPage, siteUrl: string): (string | false)[] {
  const [product, ...more] = nodesOf(page, 'Product');
  if (!product || more.length > 0) return [`has ${more.length + (product ? 1 : 0)} Product nodes instead of one`];
  const gtin = parseGtin(/(\d{13})\/$/.exec(page.path)?.[1] ?? '');
  // A restricted number is meaningless outside its company.
  const expected = gtin.ok && classifyGtin(gtin.gtin13) !== 'restricted' ? gtin.gtin13 : undefined;
  return [
    product['name'] !== page.h1[0] && `names the product ${String(product['name'])}, and shows ${page.h1[0]}`,
    product['gtin13'] !== expected && `gives ${String(product['gtin13'])} as its GTIN instead of ${expected}`,
    product['url'] !== siteUrl + page.path && `gives ${String(product['url'])} as its address`,
    'review' in product && 'has an invented review',
    'aggregateRating' in product && 'has an invented rating',
  ];
}

/** Checks that the page's linked data contains the page itself, in its language. */
function auditPage({ nodes, path, lang }: ParsedPage, siteUrl: string): (string | false)[] {
  const own = nodes.filter((node) => node['@id'] === siteUrl + path);
  const [page] = own;
  return [
    own.length !== 1 && `has ${own.length} nodes of the page itself instead of one`,
    path !== '/' && page?.['inLanguage'] !== lang && `is in ${lang}, and says ${String(page?.['inLanguage'])}`,
    page !== undefined && !page['isPartOf'] && 'is a part of no site',
  ];
}

function auditBreadcrumb(page: ParsedPage, siteUrl: string): (string | false)[] {
  const [list] = nodesOf(page, 'BreadcrumbList');
  if (!list) return ['has no BreadcrumbList'];
  const items = Array.isArray(list['itemListElement']) ? (list['itemListElement'] as Record<string, unknown>[]) : [];
  return [
    items.length < 2 && 'has a breadcrumb of less than two steps',
    items.some(({ position }, i) => position !== i + 1) && 'counts its breadcrumb wrongly',
    items.some(({ name }) => !name) && 'has a step without a name',
    // The last one may be the page itself.
    items.slice(0, -1).some(({ item }) => !String(item).startsWith(`${siteUrl}/`)) && 'has a step without an address',
  ];
}

/**
 * Checks that all language versions list the same versions, including themselves: search engines ignore incomplete
 * sets.
 */
function auditAlternates(
  page: ParsedPage,
  byUrl: ReadonlyMap<string, ParsedPage>,
  siteUrl: string,
): (string | false)[] {
  const own = siteUrl + page.path;
  const languages = page.alternates.filter(([hreflang]) => hreflang !== 'x-default');
  return [
    page.noindex && 'is kept from search engines, and names translations',
    !page.alternates.some(([, url]) => url === own) && 'does not name itself among its translations',
    page.alternates.filter(([hreflang]) => hreflang === 'x-default').length !== 1 && 'has not one x-default',
    new Set(languages.map(([hreflang]) => hreflang)).size !== languages.length && 'names a language twice',
    ...languages.map(([hreflang, url]) => {
      const other = byUrl.get(url);
      if (!other) return `names ${url}, which is no page`;
      if (other.noindex) return `names ${url}, which is kept from search engines`;
      if (!/^[a-z]{2,3}(-[A-Z]{2})?$/.test(hreflang)) return `names the language ${hreflang}`;
      return (
        serializeAlternates(other.alternates) !== serializeAlternates(page.alternates) &&
        `is not named by ${url} in the same way`
      );
    }),
  ];
}

const serializeAlternates = (alternates: ParsedPage['alternates']): string => JSON.stringify(alternates.toSorted());

function auditCanonical(page: ParsedPage, siteUrl: string): (string | false)[] {
  const { canonicals, noindex, lang, path, metas } = page;
  const isElsewhere = canonicals[0] !== siteUrl + path;
  // A Digital Link represents the product's page; a moved page represents its target.
  const canRepresentAnother = path.startsWith('/01/') || !metas.has('og:type');
  return [
    !lang && 'says no language',
    !noindex && metas.has('og:type') && !isLargePreview(metas) && 'does not let its pictures be shown large',
    // The embedded player of an episode belongs to the episode's page.
    noindex &&
      canonicals.length > 0 &&
      !path.endsWith('/embed/') &&
      'is kept from search engines, and has a canonical address',
    !noindex && canonicals.length !== 1 && `has ${canonicals.length} canonical addresses`,
    !noindex && isElsewhere && !canRepresentAnother && `gives ${canonicals[0]} as its address`,
  ];
}

const isLargePreview = (metas: ParsedPage['metas']): boolean =>
  String(metas.get('robots')).split(', ').includes('max-image-preview:large');

/** Checks that all pages agree on the properties of a node with an ID. */
function auditNames(pages: readonly ParsedPage[]): string[] {
  const known = new Map<string, Map<string, string>>();
  return pages.flatMap(({ path, nodes }) =>
    nodes.flatMap(nodesWithin).flatMap(({ '@id': id, ...properties }) => {
      if (typeof id !== 'string') return [];
      const before = known.get(id) ?? new Map<string, string>();
      known.set(id, before);
      return Object.entries(properties).flatMap(([property, value]) => {
        const now = JSON.stringify(value);
        const [same, isKnown] = [before.get(property) === now, before.has(property)];
        before.set(property, now);
        return same || !isKnown ? [] : [`${path}: says another ${property} of ${id} than another page`];
      });
    }),
  );
}

function nodesWithin(node: Record<string, unknown>): Record<string, unknown>[] {
  const below = Object.values(node)
    .flat()
    .filter((value) => typeof value === 'object' && value !== null)
    .map((value) => value as Record<string, unknown>);
  return [node, ...below.flatMap(nodesWithin)];
}

/** Checks that titles and descriptions are unique among the pages of a language. */
function auditTexts(pages: readonly ParsedPage[]): string[] {
  return (['title', 'description'] as const).flatMap((what) => {
    // Untranslated pages use texts of the main language.
    const byText = Map.groupBy(pages, ({ path, metas, title }) =>
      JSON.stringify([path.split('/')[1], what === 'title' ? title : metas.get('description')?.[0]]),
    );
    return [...byText].flatMap(([text, group]) =>
      group.length === 1 ? [] : [`${group.map(({ path }) => path).join(', ')}: have the same ${what}, ${text}`],
    );
  });
}

function auditPreview({ metas, path, canonicals, alternates, noindex }: ParsedPage): (string | false)[] {
  if (!metas.has('og:type')) return [];
  const one = (key: string) => (metas.get(key)?.length === 1 ? metas.get(key)?.[0] : undefined);
  const locale = one('og:locale');
  const others = alternates.flatMap(([hreflang]) => {
    const other = hreflang.replace('-', '_');
    return hreflang === 'x-default' || other === locale ? [] : [other];
  });
  const image = metas.get('og:image') ?? [];
  return [
    ...['og:title', 'og:type', 'og:url', 'og:site_name'].map((key) => !one(key) && `has not one ${key}`),
    !noindex && !path.startsWith('/01/') && one('og:url') !== canonicals[0] && 'gives another address to previews',
    image.some((url) => !/^https?:\/\//.test(url)) && 'has a preview picture without an absolute address',
    image.length > 0 && one('twitter:card') !== 'summary_large_image' && 'has a preview picture and no card for it',
    locale !== undefined &&
      String((metas.get('og:locale:alternate') ?? []).toSorted()) !== String(others.toSorted()) &&
      'names other languages to previews than to search engines',
  ];
}
