import { homePath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/images/picture-sources.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { ArticleRecord, HeadRecord } from '#contracts/synced/index.ts';
import { SITE_PREFIX, type HeadEntry } from '#model/head-entry.ts';
import { findImage } from '#product-index/localise-html.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { mapAddresses, mapGraph, type AddressMap } from './map-address.ts';
import { toEpisodeArticle, siteLanguage } from './episode-paths.ts';
import { normalizeGraph } from './normalize-graph.ts';
import type { SiteEntry } from './post-paths.ts';
import { readArticles, type Articles } from './read-articles.ts';
import { removeGeneratedTexts, type HeadSites, type HeadSource } from './remove-generated-texts.ts';

/** Page heads from the publishing site, by path of the corresponding page on this site. */
export function* projectHeads(source: LoaderSource): Generator<ProjectedEntry & { data: HeadEntry }> {
  const { snapshot } = source;
  const heads = new Map([...snapshot.records('head')].map((head) => [head.id, head]));
  if (heads.size === 0) return;
  const articles = readArticles(source);
  const addresses = mapAddresses(source, articles);
  const seenPaths = new Set<string>();
  const shared = { source, addresses, sites: readSites(source), isOwnPicture: pictureHosts(source) };
  for (const page of pagesWithHeads(source, articles, heads)) {
    const { id, path, about } = page;
    const head = heads.get(id);
    if (!head || seenPaths.has(path)) continue;
    seenPaths.add(path);
    yield { id: path, data: headData(removeGeneratedTexts(head, about, shared.sites), { ...page, ...shared }) };
  }
  // Every page refers to the website node, which the home page of its language provides.
  const [anyHead] = heads.values();
  for (const language of source.languages) {
    const path = homePath(language);
    if (!anyHead || seenPaths.has(path)) continue;
    const graph = sharedNodes(heads.get('home/0') ?? anyHead);
    yield { id: path, data: headData({ ...EMPTY_HEAD, graph }, { path, language, ...shared }) };
  }
}

function readSites({ snapshot, options }: LoaderSource): HeadSites {
  const { name = '', description = '' } = snapshot.site() ?? {};
  return { publishing: { name, description }, name: options.site.name, separator: options.seo.separator };
}

/** Paths of pages that editors have excluded from search engines. */
export function findHiddenPaths(source: LoaderSource): ReadonlySet<string> {
  // Skip the expensive placement of pages: few sites hide any.
  if (!source.snapshot.hidesPages()) return new Set();
  return new Set([...projectHeads(source)].filter(({ data }) => data.robots.includes('noindex')).map(({ id }) => id));
}

/** Nodes that are the same on all pages. */
function sharedNodes({ graph }: HeadRecord): HeadRecord['graph'] {
  return graph.filter((node) => ['WebSite', 'Organization'].includes(String(node['@type'])));
}

/** A head without any values. */
export const EMPTY_HEAD: Omit<HeadRecord, 'graph'> = {
  id: '',
  subject: { kind: 'home', id: 0 },
  url: '',
  title: '',
  description: '',
  robots: [],
  canonical: '',
  openGraph: { type: '', title: '', description: '', url: '', locale: '', images: [], article: [] },
  twitter: {},
  author: '',
  breadcrumbTitle: '',
  isCornerstone: false,
  redirect: '',
};

export interface PageWithHead {
  /** Id of the head, such as `post/7`. */
  id: string;
  path: string;
  language: string;
  about: HeadSource;
}

/** Lists the pages of this site that correspond to pages of the publishing site, with or without a head. */
export function listPagesWithHeads(source: LoaderSource): PageWithHead[] {
  const articles = readArticles(source);
  const heads = new Map([...source.snapshot.records('head')].map((head) => [head.id, head]));
  return [...pagesWithHeads(source, articles, heads)];
}

function* pagesWithHeads(
  { options, languages }: LoaderSource,
  { posts, pages, episodes, archives, terms, context }: Articles,
  heads: ReadonlyMap<string, HeadRecord>,
): Generator<PageWithHead> {
  const home = heads.get('home/0');
  if (home) {
    // A publishing site has one home page, in its main language.
    const language = siteLanguage(home.openGraph.locale.replace('_', '-'), languages) ?? options.mainLanguage;
    yield { id: home.id, path: homePath(language), language, about: { name: '', texts: [] } };
  }
  yield* pagesOf('post', posts);
  yield* pagesOf('page', pages);
  yield* pagesOf('episode', episodes.map(toEpisodeArticle));
  for (const language of languages)
    for (const { kind, id, path } of archives.get(language)?.values() ?? []) {
      const [record] = kind === 'author' ? [context.authors.get(id)] : terms.termsOf([id]);
      // Pages of terms and authors show their descriptions only in the head.
      yield { id: `${kind}/${id}`, path, language, about: { name: record?.name ?? '', texts: [] } };
    }
}

function pagesOf(kind: string, all: readonly SiteEntry<ArticleRecord>[]): PageWithHead[] {
  return all.map(({ record: { id, title, excerpt, html }, path, language }) => ({
    id: `${kind}/${id}`,
    path,
    language,
    about: { name: title, texts: [excerpt], html },
  }));
}

interface HeadContext {
  path: string;
  language: string;
  source: LoaderSource;
  addresses: AddressMap;
  sites: HeadSites;
  /** True for images that heads may show. */
  isOwnPicture: (address: string) => boolean;
}

function headData(head: HeadRecord, context: HeadContext): HeadEntry {
  const { title, description, robots, openGraph, author, breadcrumbTitle, isCornerstone } = head;
  const { language, source, addresses, sites, isOwnPicture } = context;
  const { snapshot, options } = source;
  const { image = '', ...twitter } = head.twitter;
  const canonical = canonicalOf(head, context);
  const findPicture = (address: string) => {
    const asset = findImage(snapshot, address, '');
    return asset && pictureSources(asset, 'banner');
  };
  return {
    title,
    description,
    robots,
    ...(canonical !== undefined && { canonical }),
    openGraph: {
      type: openGraph.type,
      title: openGraph.title,
      description: openGraph.description,
      images: openGraph.images
        .filter(({ url }) => isOwnPicture(url))
        .map((picture) => {
          const asset = findImage(snapshot, picture.url, '');
          return { ...picture, ...(asset && { asset }) };
        }),
      article: openGraph.article.map(([property, content]) => [
        property,
        property.endsWith('_time') ? content : addresses.link(content, language),
      ]),
    },
    twitter: { ...twitter, ...(isOwnPicture(image) && { image: addresses.link(image, language) }) },
    author,
    graph: mapGraph(
      normalizeGraph(head.subject.kind === 'home' ? sharedNodes(head) : head.graph, {
        publishingName: sites.publishing.name,
        site: { name: options.site.name, description: options.site.description[language] },
        isOwnPicture,
      }),
      { addresses, language, inLanguage: toBcp47(language), findPicture },
    ),
    breadcrumbTitle,
    isCornerstone,
  };
}

const hostOf = (address = ''): string | undefined => URL.parse(address)?.host.replace(/^www\./, '');

/** Creates the check for images in heads: allowed are those of the publishing site and of configured media hosts. */
function pictureHosts({ snapshot, options }: LoaderSource): (address: string) => boolean {
  const hosts = new Set([
    hostOf(snapshot.site()?.url),
    hostOf(options.site.url),
    ...options.mediaHosts.map((host) => hostOf(`https://${host}`)),
  ]);
  return (address) => hosts.has(hostOf(address) ?? address);
}

/**
 * Returns the canonical address if it differs from the page's address: a page of this site or of another one. Undefined
 * for addresses of the publishing site without a page here.
 */
function canonicalOf({ canonical }: HeadRecord, { path, language, addresses }: HeadContext): string | undefined {
  if (canonical === '') return undefined;
  const localPath = addresses.page(canonical, language);
  if (localPath !== undefined) return localPath === path ? undefined : SITE_PREFIX + localPath;
  return addresses.isOwn(canonical) ? undefined : canonical;
}
