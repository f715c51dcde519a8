import { hash } from 'node:crypto';
import type { ListedEntry, PostEntry } from '#model/entries.ts';
import type { EpisodeEntry } from '#model/podcast.ts';
import { archivePath, comparePath, homePath } from '../addresses/paths.ts';
import { directoryPaths, directorySections, directoryView } from '../directory/directory-view.ts';
import {
  discontinuedPaths,
  downloadsOf,
  downloadsPaths,
  familyDownloadsPaths,
  type DiscontinuedPage,
  type DownloadsPage,
  type FamilyDownloadsPage,
} from '../documents/download-pages.ts';
import { comparablePaths, MAX_SIDE_BY_SIDE } from '../facets/comparable-families.ts';
import { facetPagePaths, itemsOf as facetItemsOf, type FacetPage } from '../facets/facet-pages.ts';
import { journalArchives } from '../journal/journal-archives.ts';
import { archivePagePaths, type ArchivePage, journalPages } from '../journal/journal-pages.ts';
import { mentionedProducts, relatedPosts } from '../journal/related-posts.ts';
import { familyNormPaths, type FamilyNormPage } from '../norms/family-norm-pages.ts';
import { normPagePaths, type NormPage } from '../norms/norm-pages.ts';
import {
  episodeNeighbours,
  episodeProducts,
  podcastPagePaths,
  productEpisodes,
  type PodcastPage,
} from '../podcast/podcast-pages.ts';
import type { DirectoryPage } from '../port/directory.ts';
import { keyValues } from '../products/key-values.ts';
import { productView } from '../products/product-view.ts';
import { calculatorFamilies } from '../quantities/calculator-products.ts';
import { listed } from '../seo/edited-pages.ts';
import { familyPagePaths, itemsOf, type FamilyPage } from '../site/family-pages.ts';
import { welcomePage } from '../site/home-selection.ts';
import type { LocalPage, Site } from '../site/load-site.ts';
import { navigation } from '../site/navigation.ts';
import type { Family, ProductGroup } from '../site/product-groups.ts';
import { footerPages, type PageOfList, pageFamily, type PublishedPage } from '../site/standing-pages.ts';
import { bringsComponents } from './brings-components.ts';

/**
 * Keys of pages, for `cacheKey`: a page whose key is that of the last build shows what it showed, and is not rendered
 * again. A key covers everything of the content that its page shows. What the project itself brings (templates,
 * strings, configuration) is no part of it: when any of that changes, every page is rendered.
 */

export function productKey(site: Site, product: ListedEntry): string | undefined {
  const overlay = site.overlay(product.language, product.gtin);
  if (overlay && bringsComponents(overlay)) return undefined;
  const { family, showsFolded, related, successor, variants, accessories } = productView(site, product);
  return keyOf(
    pageChromeKey(site, product.pageLanguage),
    family,
    showsFolded,
    site.productDigest(product),
    [...related, ...(successor ? [successor] : [])].map(site.rowDigest),
    successor !== undefined,
    [variants, accessories].map((others) => others.map(site.rowDigest)),
    productEpisodes(site, product).map(teaser),
  );
}

export function familyPageKey(site: Site, language: string, page: FamilyPage): string {
  const { family, productGroup, number, total } = page;
  return keyOf(
    pageChromeKey(site, language),
    family,
    [number, total, productGroup.count],
    Object.keys(familyPagePaths(site, family.id, number)),
    // The first page leads to those of the values.
    number === 1 && productGroup.facets,
    rowKeys(site, itemsOf(page), productGroup),
  );
}

/** Of the calculator of a family, and of what it calculates with. */
export function calculatorKey(site: Site, language: string, id: string): string {
  const productGroup = site.productGroups(language).find(({ family }) => family?.id === id);
  const others = site.languages.map(({ code }) => calculatorFamilies(site, code).has(id));
  return keyOf(
    pageChromeKey(site, language),
    productGroup?.family,
    others,
    (productGroup?.products ?? []).map(site.rowDigest),
  );
}

/** Of the list of what has a value. */
export function facetPageKey(site: Site, language: string, page: FacetPage): string {
  const { family, productGroup, facet, option, number, total } = page;
  const place = { id: family.id, facet: facet.id, option: option.id, number };
  return keyOf(
    pageChromeKey(site, language),
    family,
    [number, total, option.count],
    Object.keys(facetPagePaths(site, place)),
    { ...facet, options: number === 1 ? [facet.options, productGroup.count] : [option.id, option.values] },
    rowKeys(site, facetItemsOf(page), productGroup),
  );
}

/** Of the page on which a family is filtered: what it shows of products, it reads from the table. */
export function filterKey(site: Site, language: string, family: Family, { facets }: ProductGroup): string {
  const choices = facets.map(({ options, ...facet }) => [facet, options.map(({ id, values }) => [id, values])]);
  return keyOf(pageChromeKey(site, language), family, familyLanguages(site, family), choices);
}

/** Of the comparison of a family. */
export function compareKey(site: Site, language: string, family: Family, productGroup: ProductGroup): string {
  return keyOf(
    pageChromeKey(site, language),
    family,
    familyLanguages(site, family),
    productGroup.count,
    productGroup.head(MAX_SIDE_BY_SIDE).map(site.rowDigest),
    productGroup.highlights,
  );
}

/** Of what filter and comparison read of a family. */
export function familyTableKey(site: Site, productGroup: ProductGroup): string {
  return keyOf(productGroup.products.map(site.rowDigest), productGroup.highlights);
}

/** Languages in which a family can be compared. */
function familyLanguages(site: Site, family: Family): string[] {
  return Object.keys(comparablePaths(site, family.id, comparePath));
}

/** Which values a row shows depends on the whole family. */
function rowKeys(site: Site, items: readonly ListedEntry[], { highlights }: ProductGroup): unknown[] {
  return items.map((product) => [site.rowDigest(product), keyValues(product, highlights)]);
}

/** Of the list of all products. */
export function productsKey(site: Site, language: string): string {
  return keyOf(
    pageChromeKey(site, language),
    site.productGroups(language).map(({ family, summary }) => [family, summary]),
  );
}

/** Of the list of norms. What is written of them is the project's. */
export function normsKey(site: Site, language: string): string {
  const norms = site.norms(language).map(({ slug, name, count }) => [slug, name, count]);
  return keyOf(pageChromeKey(site, language), norms);
}

/** Of the page about product data: it says how much there is. */
export function dataKey(site: Site, language: string): string {
  return keyOf(pageChromeKey(site, language), site.count(language).products);
}

export function normPageKey(site: Site, language: string, { norm, families, number, total }: NormPage): string {
  return keyOf(
    pageChromeKey(site, language),
    [norm.name, norm.count, number, total],
    families,
    Object.keys(normPagePaths(site, norm.slug, number)),
  );
}

export function familyNormKey(site: Site, language: string, page: FamilyNormPage): string {
  const { family, norm, number } = page;
  const paths = familyNormPaths(site, { id: family.id, slug: norm.slug, number });
  return keyOf(pageChromeKey(site, language), page, Object.keys(paths));
}

export function downloadsKey(site: Site, language: string, { productGroups, number, total }: DownloadsPage): string {
  return keyOf(
    pageChromeKey(site, language),
    [number, total, site.count(language).documents, site.discontinued(language).length],
    productGroups.map(({ family, count, documents }) => [family, count, documents.head]),
    Object.keys(downloadsPaths(site, number)),
  );
}

export function familyDownloadsKey(site: Site, language: string, page: FamilyDownloadsPage): string {
  const { family, productGroup, number, total } = page;
  return keyOf(
    pageChromeKey(site, language),
    family,
    [number, total, productGroup.count],
    Object.keys(familyDownloadsPaths(site, { id: family.id, number })),
    downloadsOf(page).map((product) => [
      [product.gtin, product.name, product.item_number, product.slug, product.language],
      site.documents(product),
    ]),
  );
}

/** Of the documents of what is no longer offered. */
export function discontinuedKey(site: Site, language: string, { items, number, total }: DiscontinuedPage): string {
  return keyOf(pageChromeKey(site, language), [number, total], items, Object.keys(discontinuedPaths(site, number)));
}

/** Of the search page: which letters there are. */
export function searchKey(site: Site, language: string): string {
  return keyOf(pageChromeKey(site, language), site.count(language).products, directorySections(site, language));
}

export function directoryPageKey(site: Site, language: string, page: DirectoryPage): string {
  return keyOf(
    pageChromeKey(site, language),
    page,
    directoryViewKey(site, language, page),
    Object.keys(directoryPaths(site, page)),
  );
}

/** The same for all pages of a section, of which there may be hundreds. */
function directoryViewKey(site: Site, language: string, page: DirectoryPage): string {
  return keyOnce(site, `register/${language}/${page.list}/${page.section}`, () => [
    directoryView(site, language, page),
  ]);
}

/** Of the home page, but for the welcome text, which the project brings. */
export function homeKey(site: Site, language: string): string | undefined {
  const welcome = welcomePage(site, language);
  if (welcome && bringsComponents(welcome.entry)) return undefined;
  return keyOf(
    pageChromeKey(site, language),
    headKey(
      site,
      homePath(language),
      site.languages.map(({ code }) => homePath(code)),
    ),
    site.productGroups(language).map(({ family, summary }) => [family, summary]),
    site.count(language),
    site.snapshot,
    site.posts(language).map(site.digestOf),
    [site.podcast(language), site.episodes(language).slice(0, 1).map(summary)],
  );
}

export function postKey(site: Site, language: string, post: PostEntry): string {
  const teased = relatedPosts(site.posts(language), post, (other) => site.head(other.path)?.isCornerstone === true);
  const mentioned = mentionedProducts(site, post.language, post.mentions);
  return keyOf(
    pageChromeKey(site, language),
    headKey(site, post.path, Object.values(post.translations)),
    [post, ...teased].map(site.digestOf),
    mentioned.map(site.rowDigest),
  );
}

export function journalPageKey(site: Site, language: string, { items, number, total }: PageOfList<PostEntry>): string {
  const lengths = site.languages.map(({ code }) => journalPages(site, code).length >= number);
  return keyOf(
    pageChromeKey(site, language),
    [number, total],
    lengths,
    items.map(site.digestOf),
    archivesKey(site, language),
  );
}

/** Of a page of an archive of the journal. */
export function archivePageKey(site: Site, language: string, page: ArchivePage): string {
  const { archive, items, number, total } = page;
  const { kind, id, name } = archive;
  const paths = archivePagePaths(site, language, page);
  return keyOf(
    pageChromeKey(site, language),
    [kind, id, name, archive.posts.length, number, total],
    headKey(site, archivePath(language, kind, id), Object.values(paths)),
    paths,
    items.map(site.digestOf),
  );
}

/** Of a page of the show. */
export function podcastPageKey(site: Site, language: string, page: PodcastPage): string {
  const { podcast, groups, number, total } = page;
  return keyOf(
    pageChromeKey(site, language),
    podcast,
    [number, total, site.episodes(language).length],
    Object.keys(podcastPagePaths(site, number)),
    groups.map(({ episodes, ...heading }) => [heading, episodes.map(summary)]),
  );
}

export function episodeKey(site: Site, episode: EpisodeEntry): string {
  const { language } = episode;
  const { previous, next } = episodeNeighbours(site.episodes(language), episode);
  return keyOf(
    pageChromeKey(site, language),
    headKey(site, episode.path, Object.values(episode.translations)),
    site.digestOf(episode),
    site.podcast(language),
    [previous, next].map((other) => other && teaser(other)),
    episodeProducts(site, episode).map(site.rowDigest),
  );
}

/** Of its Markdown twin, and of its chapters and transcripts for podcast apps. */
export function episodeFilesKey(site: Site, episode: EpisodeEntry): string {
  const products = episodeProducts(site, episode).map(({ name, slug }) => [name, slug]);
  return keyOf(site.digestOf(episode), site.podcast(episode.language), products);
}

/** Of its embeddable player and its oEmbed document. */
export function episodeEmbedKey(site: Site, episode: EpisodeEntry): string {
  return keyOf(site.digestOf(episode), site.podcast(episode.language));
}

/** Of the chapters of an episode, as a file. */
export function chaptersKey({ chapters }: EpisodeEntry): string {
  return keyOf(chapters);
}

/** Of a document of a podcast's feed. */
export function podcastFeedKey(
  site: Site,
  language: string,
  { items, number, total }: PageOfList<EpisodeEntry>,
): string {
  const podcasts = site.languages.map(({ code }) =>
    code === language ? site.podcast(code) : site.podcast(code)?.title,
  );
  return keyOf(podcasts, [number, total], items.map(site.digestOf));
}

/** What lists show of an episode. */
function summary(episode: EpisodeEntry): unknown[] {
  return [teaser(episode), episode.summary];
}

/** What others show of it. */
function teaser(episode: EpisodeEntry): unknown[] {
  const { path, title, subtitle, number, season, type, published, durationMs, explicit, cover } = episode;
  return [path, title, subtitle, number, season, type, published, durationMs, explicit, cover?.digest];
}

export function publishedPageKey(site: Site, page: PublishedPage): string {
  const { above, around } = pageFamily(site, page);
  return keyOf(
    pageChromeKey(site, page.language),
    headKey(site, page.path, Object.values(page.translations)),
    [page, ...above].map(site.digestOf),
    above.map(({ path }) => site.head(path)?.breadcrumbTitle),
    around.map(site.digestOf),
  );
}

/** Of a page whose text the project brings. */
export function localPageKey(site: Site, page: LocalPage | undefined): string | undefined {
  return page && !bringsComponents(page.entry) ? pageChromeKey(site, page.language) : undefined;
}

/** What the publishing site says in the head of a page, and of which versions of it the page says that they are some. */
function headKey(site: Site, path: string, versions: readonly string[]): unknown[] {
  return [
    site.digestOf(site.head(path)),
    versions.map((version) => [site.head(version)?.robots, site.head(version)?.canonical]),
  ];
}

/** Of a feed of posts. */
export function feedKey(site: Site, posts: readonly PostEntry[]): string {
  return keyOf(listed(site, posts).map(site.digestOf));
}

/** What the journal's own pages show of its archives. */
function archivesKey(site: Site, language: string): string {
  return keyOnce(site, `archives/${language}`, () =>
    journalArchives(site, language).map(({ kind, id, name, posts }) => [kind, id, name, posts.length]),
  );
}

/** What stands around every page of a language: header, footer, choice of languages. */
function pageChromeKey(site: Site, language: string): string {
  return keyOnce(site, `frame/${language}`, () => [
    site.languages,
    site.mainLanguage,
    site.languages.map(({ code }) => [site.posts(code).length > 0, site.podcast(code) !== undefined]),
    navigation(site, language, '', { products: '', journal: '', podcast: '' }),
    footerPages(site, language).map(({ entry, path, language: of }) => [entry.data, path, of]),
    site.snapshot?.stale,
  ]);
}

const keysOfSites = new WeakMap<Site, Map<string, string>>();

/** The key of what many pages show, calculated once. @param place Names it. */
function keyOnce(site: Site, place: string, parts: () => readonly unknown[]): string {
  const known = keysOfSites.get(site) ?? new Map<string, string>();
  keysOfSites.set(site, known);
  const key = known.get(place) ?? keyOf(...parts());
  known.set(place, key);
  return key;
}

function keyOf(...parts: readonly unknown[]): string {
  return hash('sha1', JSON.stringify(parts), 'base64url');
}
