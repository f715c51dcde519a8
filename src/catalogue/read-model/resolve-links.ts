import { archivePath, homePath, searchPath, type ArchiveKind } from '#catalogue/addresses/paths.ts';
import { cacheByText } from '#catalogue/cache.ts';
import { htmlIds, prefixedId } from '#contracts/html/html-text.ts';
import { decodePercent, trimTrailing } from '#contracts/index.ts';
import { pathsBelow } from '#contracts/site-paths.ts';
import type { ArticleRecord } from '#contracts/synced/index.ts';
import type { SiteEntry } from './content-paths.ts';

/** Resolves an address to a path of this site; undefined if it points elsewhere. */
export type ResolveLink = (href: string, language: string) => string | undefined;

export interface RedirectedPage {
  /** An address at the publishing site or elsewhere. */
  target: string;
  language: string;
}

/** Longer chains are loops. */
const MAX_REDIRECTS = 5;

/**
 * Resolves links to redirected pages to their final target. Targets outside this site are returned as addresses.
 * @param redirected Redirects by path.
 */
export function withRedirects(resolve: ResolveLink, redirected: ReadonlyMap<string, RedirectedPage>): ResolveLink {
  if (redirected.size === 0) return resolve;
  return (href, language) => {
    let found = resolve(href, language);
    for (let i = 0; i < MAX_REDIRECTS && found !== undefined; i += 1) {
      const next = redirected.get(found.split('#', 1)[0] ?? '');
      if (next === undefined) return found;
      found = resolve(next.target, next.language) ?? next.target;
    }
    return found;
  };
}

type LinkedRecord = Pick<ArticleRecord, 'id' | 'link' | 'slug' | 'html'>;

/** A page of the publishing site other than an article: a category, tag, author or media item. */
export interface LinkedPage {
  /** Permanent address at the publishing site; undefined in older snapshots. */
  link: string | undefined;
  kind: Exclude<ArchiveKind, 'month'> | 'media';
  id: number;
  slug: string;
}

export interface LinkTargets {
  /** Addresses of the publishing site, the public one first. */
  addresses: readonly string[];
  articles: readonly SiteEntry<LinkedRecord>[];
  pages: Iterable<LinkedPage>;
  pathOf: (page: LinkedPage, language: string) => string | undefined;
  /** True if a language has posts of a month such as `2026-11`. */
  hasMonth: (month: string, language: string) => boolean;
  hasSearch: boolean;
}

/** Query parameters that servers use instead of permanent addresses. */
const ID_PARAMETERS = { cat: 'category', author: 'author', attachment_id: 'media' } as const;

/** Parameters added by advertisements and newsletters. */
const TRACKING = /^(?:utm_|fbclid$|gclid$|mc_|_ga$|ref$)/;

/**
 * Resolves addresses of the publishing site to pages of this one. Articles are found by permanent address, `/<slug>/`
 * and `?p=<id>`. Archives, files of media items, search and the home page are supported, too. Relative addresses
 * resolve against the publishing site.
 */
export function createLinkResolver({ addresses, articles, pages, pathOf, ...has }: LinkTargets): ResolveLink {
  const [home] = addresses.filter((address) => URL.canParse(address));
  if (home === undefined) return () => undefined;
  /** Paths relative to the site's addresses. Foreign addresses yield their path. */
  const pathsOf = (link: string | undefined): string[] => {
    const url = URL.parse(link ?? '', `${home}/`);
    if (!link || !url) return [];
    const below = pathsBelow(url, addresses);
    return (below.length > 0 ? below.map(({ path }) => path) : [url.pathname]).map(normalise);
  };
  const paths = new Map<string, string>();
  const localFragment = createFragmentResolver(articles);
  for (const { record, path } of articles) {
    for (const linkPath of pathsOf(record.link)) paths.set(linkPath, path);
    paths.set(`?${record.id}`, path);
  }
  for (const { record, path } of articles) {
    const short = normalise(`/${record.slug}`);
    if (!paths.has(short)) paths.set(short, path);
  }
  const linked = new Map<string, LinkedPage>();
  for (const page of pages) {
    for (const linkPath of pathsOf(page.link)) linked.set(linkPath, page);
    linked.set(`${page.kind} ${page.id}`, page);
    linked.set(`${page.kind}/${decodePercent(page.slug)}`, page);
  }

  /** @param path Relative to an address of the site. */
  const findPage = (path: string, query: URLSearchParams, language: string): string | undefined => {
    const isRoot = path === '/' || path === '/index.php';
    const key = (isRoot ? keyOf(query) : undefined) ?? normalise(path);
    const page = linked.get(key);
    const localPath = paths.get(key) ?? (page && pathOf(page, language));
    if (localPath !== undefined) return localPath;
    const [, year, month] = /^\/(\d{4})\/(\d\d)(?:\/\d\d)?$/.exec(key) ?? [];
    const id = `${year}-${month}`;
    return month !== undefined && has.hasMonth(id, language) ? archivePath(language, 'month', id) : undefined;
  };

  return (href, language) => {
    if (href.startsWith('#')) return undefined;
    const target = URL.parse(href, `${home}/`);
    if (!target) return undefined;
    for (const { path, isExact } of pathsBelow(target, addresses)) {
      const query = isExact ? target.searchParams : new URLSearchParams();
      if (query.has('s') && has.hasSearch) return `${searchPath(language)}?q=${/[?&]s=([^&#]*)/.exec(href)?.[1] ?? ''}`;
      const found = isExact ? findPage(path, query, language) : paths.get(normalise(path));
      const page = found ?? (isExact ? findPage(withoutPageNumber(path), query, language) : undefined);
      if (page !== undefined) return page + localFragment(page, target.hash);
      const isHome = path === '/' && [...target.searchParams.keys()].every((name) => TRACKING.test(name));
      if (isHome) return `${homePath(language)}${target.hash}`;
    }
    return undefined;
  };
}

/** Key of a page that is addressed by query parameters. */
function keyOf(query: URLSearchParams): string | undefined {
  const id = query.get('p') ?? query.get('page_id');
  if (id !== null) return `?${id}`;
  for (const [name, kind] of Object.entries(ID_PARAMETERS)) if (query.has(name)) return `${kind} ${query.get(name)}`;
  if (query.has('tag')) return `tag/${query.get('tag')}`;
  if (query.has('category_name')) return `category/${query.get('category_name')}`;
  const [, year, month] = /^(\d{4})(\d\d)/.exec(query.get('m') ?? '') ?? [];
  return month === undefined ? undefined : `/${year}/${month}`;
}

/** Lists have a single page here, or other page numbers. */
function withoutPageNumber(path: string): string {
  return path.replace(/\/(?:page\/|comment-page-)\d+\/?$/, '') || '/';
}

/** Maps fragments of the publishing site to ids of this site, which have a prefix. */
function createFragmentResolver(articles: readonly SiteEntry<LinkedRecord>[]): (path: string, hash: string) => string {
  const records = new Map(articles.map(({ path, record }) => [path, record]));
  const idsOf = cacheByText((path) => htmlIds(records.get(path)?.html ?? ''));
  return (path, hash) => {
    if (hash.length < 2) return '';
    const id = prefixedId(decodePercent(hash.slice(1)));
    return idsOf(path).has(id) ? `#${id}` : hash;
  };
}

function normalise(pathname: string): string {
  return decodePercent(trimTrailing(pathname, '/')).toLowerCase();
}
