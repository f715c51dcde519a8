import { archivePath, homePath, searchPath, type ArchiveKind } from '#catalogue/addresses/paths.ts';
import { htmlIds, prefixedId } from '#contracts/html/index.ts';
import { trimEndOf } from '#contracts/index.ts';
import { pathsBelow } from '#contracts/own-addresses.ts';
import type { ArticleRecord } from '#contracts/synced/index.ts';
import { decodeSlug } from './decode-slug.ts';
import type { Placed } from './place-posts.ts';

/** Turns an address into a path of this site, or gives undefined where it leads elsewhere. */
export type ResolveLink = (href: string, language: string) => string | undefined;

export interface RedirectedPage {
  /** An address at the publishing site or elsewhere. */
  target: string;
  language: string;
}

/** More than anybody chains on purpose. */
const MAX_REDIRECTS = 5;

/**
 * Leads past what editors send readers away from. Where that is out of this site, an address takes the place of a path.
 * @param redirected By paths.
 */
export function followRedirects(resolve: ResolveLink, redirected: ReadonlyMap<string, RedirectedPage>): ResolveLink {
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

/** A page of the publishing site that isn't an article: of a category, tag or author, or of a media item. */
export interface LinkedPage {
  /** Permanent address at the publishing site; unknown in a snapshot of an earlier version. */
  link: string | undefined;
  kind: Exclude<ArchiveKind, 'month'> | 'media';
  id: number;
  slug: string;
}

export interface LinkTargets {
  /** Addresses of the publishing site, the public one first. */
  addresses: readonly string[];
  articles: readonly Placed<LinkedRecord>[];
  pages: Iterable<LinkedPage>;
  /** Path of this site for such a page. */
  pathOf: (page: LinkedPage, language: string) => string | undefined;
  /** True if a language has posts of a month such as `2026-11`. */
  hasMonth: (month: string, language: string) => boolean;
}

/** Parameters by which servers address a page without its permanent address. */
const ID_PARAMETERS = { cat: 'category', author: 'author', attachment_id: 'media' } as const;

/** Parameters that advertisements and newsletters add. */
const TRACKING = /^(?:utm_|fbclid$|gclid$|mc_|_ga$|ref$)/;

/**
 * Resolves addresses of the publishing site to pages of this one: articles by their permanent addresses, by `/<slug>/`
 * and by `?p=<id>`; archives of categories, tags, authors and months; files behind the pages of media items; the search
 * and the home page. Relative addresses count as the publishing site's own.
 */
export function resolveLinksTo({ addresses, articles, pages, pathOf, hasMonth }: LinkTargets): ResolveLink {
  const [home] = addresses.filter((address) => URL.canParse(address));
  if (home === undefined) return () => undefined;
  /** Paths below any address of the site. An address elsewhere counts by its path. */
  const pathsOf = (link: string | undefined): string[] => {
    const url = URL.parse(link ?? '', `${home}/`);
    if (!link || !url) return [];
    const below = pathsBelow(url, addresses);
    return (below.length > 0 ? below.map(({ path }) => path) : [url.pathname]).map(normalise);
  };
  const paths = new Map<string, string>();
  const places = findPlaces(articles);
  for (const { record, path } of articles) {
    for (const known of pathsOf(record.link)) paths.set(known, path);
    paths.set(`?${record.id}`, path);
  }
  for (const { record, path } of articles) {
    const short = normalise(`/${record.slug}`);
    if (!paths.has(short)) paths.set(short, path);
  }
  const linked = new Map<string, LinkedPage>();
  for (const page of pages) {
    for (const known of pathsOf(page.link)) linked.set(known, page);
    linked.set(`${page.kind} ${page.id}`, page);
    linked.set(`${page.kind}/${decodeSlug(page.slug)}`, page);
  }

  /** @param path Below an address of the site. */
  const findPage = (path: string, query: URLSearchParams, language: string): string | undefined => {
    const isRoot = path === '/' || path === '/index.php';
    const key = (isRoot ? keyOf(query) : undefined) ?? normalise(path);
    const page = linked.get(key);
    const known = paths.get(key) ?? (page && pathOf(page, language));
    if (known !== undefined) return known;
    const [, year, month] = /^\/(\d{4})\/(\d\d)(?:\/\d\d)?$/.exec(key) ?? [];
    const id = `${year}-${month}`;
    return month !== undefined && hasMonth(id, language) ? archivePath(language, 'month', id) : undefined;
  };

  return (href, language) => {
    if (href.startsWith('#')) return undefined;
    const target = URL.parse(href, `${home}/`);
    if (!target) return undefined;
    for (const { path, isExact } of pathsBelow(target, addresses)) {
      const query = isExact ? target.searchParams : new URLSearchParams();
      if (query.has('s')) return `${searchPath(language)}?q=${/[?&]s=([^&#]*)/.exec(href)?.[1] ?? ''}`;
      const found = isExact ? findPage(path, query, language) : paths.get(normalise(path));
      const page = found ?? (isExact ? findPage(withoutPageNumber(path), query, language) : undefined);
      if (page !== undefined) return page + places(page, target.hash);
      const isHome = path === '/' && [...target.searchParams.keys()].every((name) => TRACKING.test(name));
      if (isHome) return `${homePath(language)}${target.hash}`;
    }
    return undefined;
  };
}

/** The key of a page that is addressed by parameters. */
function keyOf(query: URLSearchParams): string | undefined {
  const id = query.get('p') ?? query.get('page_id');
  if (id !== null) return `?${id}`;
  for (const [name, kind] of Object.entries(ID_PARAMETERS)) if (query.has(name)) return `${kind} ${query.get(name)}`;
  if (query.has('tag')) return `tag/${query.get('tag')}`;
  if (query.has('category_name')) return `category/${query.get('category_name')}`;
  const [, year, month] = /^(\d{4})(\d\d)/.exec(query.get('m') ?? '') ?? [];
  return month === undefined ? undefined : `/${year}/${month}`;
}

/** Lists are on one page here, or numbered otherwise. */
function withoutPageNumber(path: string): string {
  return path.replace(/\/(?:page\/|comment-page-)\d+\/?$/, '') || '/';
}

/** Ids begin otherwise here than at the publishing site: the fragment for the same place in a text. */
function findPlaces(articles: readonly Placed<LinkedRecord>[]): (path: string, hash: string) => string {
  const records = new Map(articles.map(({ path, record }) => [path, record]));
  const known = new Map<string, ReadonlySet<string>>();
  return (path, hash) => {
    if (hash.length < 2) return '';
    const ids = known.get(path) ?? htmlIds(records.get(path)?.html ?? '');
    known.set(path, ids);
    const id = prefixedId(decodeSlug(hash.slice(1)));
    return ids.has(id) ? `#${id}` : hash;
  };
}

function normalise(pathname: string): string {
  return decodeSlug(trimEndOf(pathname, '/')).toLowerCase();
}
