import { homePath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/images/image-variants.ts';
import type { ArticleRecord, HeadRecord, HeadSubject } from '#contracts/synced/index.ts';
import { SITE_PREFIX } from '../entries/entries.ts';
import { findImage } from '#catalogue/read-model/project-products.ts';
import type { LoaderSource, ProjectedEntry } from '#catalogue/read-model/with-snapshot.ts';
import { mapAddresses, mapGraph, type AddressMap } from './map-address.ts';
import { toEpisodeArticle, siteLanguage, type SiteEntry } from './content-paths.ts';
import { readArticles } from './articles.ts';
import { BUILT_IN_TITLES, fillTemplate, SEPARATORS } from '#contracts/seo/templates.ts';
import { isGeneratedExcerpt } from '#contracts/synced/article.ts';
import { PAGE_TYPES } from '#contracts/seo/head-values.ts';

/**
 * Page heads from the publishing site, by path of the corresponding page on this site. Addresses of pages and images
 * of this site are paths with `SITE_PREFIX`.
 */
export function* projectHeads(source: LoaderSource): Generator<ProjectedEntry & { data: HeadRecord }> {
  const heads = readHeads(source);
  if (heads.size === 0) return;
  const addresses = mapAddresses(source, readArticles(source));
  const seenPaths = new Set<string>();
  const shared = { source, addresses, sites: readSites(source), isOwnPicture: pictureHosts(source) };
  for (const page of listPagesWithHeads(source, heads)) {
    const { id, path, about } = page;
    const head = heads.get(id);
    if (!head || seenPaths.has(path)) continue;
    seenPaths.add(path);
    yield { id: path, data: mapHead(removeGeneratedTexts(head, about, shared.sites), { ...page, ...shared }) };
  }
  // Every page refers to the website node, which the home page of its language provides.
  const [anyHead] = heads.values();
  for (const language of source.languages) {
    const path = homePath(language);
    if (!anyHead || seenPaths.has(path)) continue;
    const graph = sharedNodes(heads.get('home/0') ?? anyHead);
    yield { id: path, data: mapHead({ ...EMPTY_HEAD, graph }, { path, language, ...shared }) };
  }
}

interface HeadSites {
  publishing: { name: string; description: string };
  /** Name of this site, and the separator before it in titles. */
  name: string;
  separator: string;
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

const readHeads = ({ snapshot }: LoaderSource) => new Map([...snapshot.records('head')].map((head) => [head.id, head]));

/** Lists the pages of this site that correspond to pages of the publishing site, with or without a head. */
export function* listPagesWithHeads(
  source: LoaderSource,
  heads: ReadonlyMap<string, HeadRecord> = readHeads(source),
): Generator<PageWithHead> {
  const { options, languages } = source;
  const { posts, pages, episodes, archives, terms, context } = readArticles(source);
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

function mapHead(head: HeadRecord, context: HeadContext): HeadRecord {
  const { language, source, addresses, isOwnPicture } = context;
  const { image = '', ...twitter } = head.twitter;
  const { images, article } = head.openGraph;
  const findPicture = (address: string) => {
    const asset = findImage(source.snapshot, address, '');
    return asset && { ...pictureSources(asset, 'banner'), alt: asset.alt };
  };
  return {
    ...head,
    canonical: canonicalOf(head, context),
    openGraph: {
      ...head.openGraph,
      images: images
        .filter(({ url }) => isOwnPicture(url))
        .map((picture) => {
          const { src, width, height, alt } = findPicture(picture.url) ?? {};
          if (src === undefined) return picture;
          return { url: SITE_PREFIX + src, width, height, type: 'image/jpeg', ...(alt && { alt }) };
        }),
      article: article.map(([property, content]) => [
        property,
        property.endsWith('_time') ? content : addresses.link(content, language),
      ]),
    },
    twitter: { ...twitter, ...(isOwnPicture(image) && { image: addresses.link(image, language) }) },
    graph: mapGraph(normalizeGraph(head.subject.kind === 'home' ? sharedNodes(head) : head.graph, context), {
      addresses,
      language,
      findPicture,
    }),
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
 * Returns the canonical address if it differs from the page's address: a page of this site or of another one. Empty for
 * addresses of the publishing site without a page here.
 */
function canonicalOf({ canonical }: HeadRecord, { path, language, addresses }: HeadContext): string {
  if (canonical === '') return '';
  const localPath = addresses.page(canonical, language);
  if (localPath !== undefined) return localPath === path ? '' : SITE_PREFIX + localPath;
  return addresses.isOwn(canonical) ? '' : canonical;
}

/** Source of a head's texts: the record it describes. */
interface HeadSource {
  name: string;
  /** Texts that servers use in place of a missing description. */
  texts: readonly string[];
  html?: string;
}

/**
 * Removes texts generated by built-in templates of the publishing site, because this site has texts in the language of
 * the page. Texts written by editors stay. In titles, the site name and separator are replaced by those of this site.
 */
export function removeGeneratedTexts(head: HeadRecord, source: HeadSource, sites: HeadSites): HeadRecord {
  const readTitle = titleReader(head.subject.kind, source, sites);
  const texts = new Set([...source.texts, sites.publishing.description, ''].map(fold));
  const readDescription = (text: string) =>
    texts.has(fold(text)) || isGeneratedExcerpt(text, source.html ?? '') ? '' : text;
  const { openGraph, twitter } = head;
  const twitterTexts = {
    title: readTitle(twitter['title'] ?? ''),
    description: readDescription(twitter['description'] ?? ''),
  };
  return {
    ...head,
    title: readTitle(head.title),
    description: readDescription(head.description),
    openGraph: {
      ...openGraph,
      title: readTitle(openGraph.title),
      description: readDescription(openGraph.description),
    },
    twitter: Object.fromEntries(Object.entries({ ...twitter, ...twitterTexts }).filter(([, value]) => value !== '')),
  };
}

function titleReader(
  kind: HeadSubject['kind'],
  { name }: HeadSource,
  { publishing, name: siteName, separator }: HeadSites,
): (title: string) => string {
  const values = { title: name, term_title: name, name, sitename: publishing.name, sitedesc: publishing.description };
  const templates = [...BUILT_IN_TITLES.content, ...BUILT_IN_TITLES[TEMPLATE_KINDS[kind]]];
  const builtIn = templates.map((template) => fillTemplate(template, values));
  // For social media, some servers omit the site name.
  const builtInTitles = new Set([...builtIn, name].map(fold));
  return (title) => {
    if (builtInTitles.has(fold(title))) return '';
    const sign = SEPARATORS.find((one) => title.endsWith(` ${one} ${publishing.name}`));
    if (sign === undefined) return title;
    return `${title.slice(0, -` ${sign} ${publishing.name}`.length)} ${separator} ${siteName}`;
  };
}

const TEMPLATE_KINDS: Readonly<Record<HeadSubject['kind'], keyof typeof BUILT_IN_TITLES>> = {
  home: 'home',
  post: 'content',
  page: 'content',
  episode: 'content',
  category: 'term',
  tag: 'term',
  author: 'author',
};

/** Normalises separators, quotes and dashes, because servers replace them with typographic ones only in some places. */
function fold(text: string): string {
  return text
    .replaceAll(/(?<=\s)[–—:·•*⋆|~«»><](?=\s)/g, '-')
    .replaceAll(/[‘’‚´`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[–—]/g, '-')
    .replaceAll('…', '...')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

type Node = Record<string, unknown>;

/**
 * Removes from the publishing site's linked data whatever doesn't apply to this site. This covers breadcrumbs, names
 * and descriptions of pages, comment forms and images of foreign hosts.
 */
function normalizeGraph(graph: readonly Node[], context: HeadContext): Node[] {
  const isForeign = (node: Node) => hasType(node, ['ImageObject']) && !hasSiteImages(node, context);
  const foreign = new Set(graph.filter(isForeign).map((node) => node['@id']));
  return graph.flatMap((node) => {
    if (hasType(node, ['BreadcrumbList']) || foreign.has(node['@id'])) return [];
    const filtered = withSiteImages(
      node,
      (value) => !isReference(value, foreign) && hasSiteImages(value, context),
    ) as Node;
    return [withSiteTexts(withActions(filtered), context)];
  });
}

const IMAGE_PROPERTIES = new Set([
  'image',
  'logo',
  'photo',
  'primaryImageOfPage',
  'screenshot',
  'thumbnail',
  'thumbnailUrl',
]);

function hasType(node: Node, types: readonly string[]): boolean {
  return [node['@type']].flat().some((type) => types.includes(String(type)));
}

function isReference(value: unknown, ids: ReadonlySet<unknown>): boolean {
  return typeof value === 'object' && value !== null && '@id' in value && ids.has(value['@id']);
}

/** @param value An address, or a node with addresses. */
function hasSiteImages(value: unknown, { isOwnPicture }: Pick<HeadContext, 'isOwnPicture'>): boolean {
  if (typeof value === 'string') return isOwnPicture(value);
  if (typeof value !== 'object' || value === null) return true;
  return ['url', 'contentUrl'].every((name) => {
    const address = (value as Node)[name];
    return typeof address !== 'string' || isOwnPicture(address);
  });
}

/** Removes images that aren't the site's, both as members and in lists. */
function withSiteImages(value: unknown, isAllowed: (picture: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withSiteImages(item, isAllowed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (!IMAGE_PROPERTIES.has(name)) return [[name, withSiteImages(member, isAllowed)]];
      if (!Array.isArray(member)) return isAllowed(member) ? [[name, member]] : [];
      const filtered = member.filter((item: unknown) => isAllowed(item));
      return filtered.length > 0 ? [[name, filtered]] : [];
    }),
  );
}

/** Removes comment forms, which pages don't have, and the obsolete `query-input` of search forms. */
function withActions({ potentialAction, ...node }: Node): Node {
  const actions = [potentialAction].flat().flatMap((action): Node[] => {
    if (typeof action !== 'object' || action === null || hasType(action as Node, ['CommentAction'])) return [];
    const { 'query-input': _, ...rest } = action as Node;
    return [rest];
  });
  return actions.length > 0 ? { ...node, potentialAction: actions } : node;
}

function withSiteTexts(node: Node, { language, sites, source }: HeadContext): Node {
  if (hasType(node, PAGE_TYPES)) {
    const { name: _name, description: _description, breadcrumb: _breadcrumb, ...page } = node;
    return page;
  }
  if (!hasType(node, ['WebSite'])) return node;
  // Editors may have chosen another name for linked data.
  const name = node['name'] === sites.publishing.name ? sites.name : node['name'];
  const description = source.options.site.description[language];
  return { ...node, name, ...(description !== undefined && { description }) };
}
