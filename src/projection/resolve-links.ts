import type { ArticleRecord } from '#contracts/synced/index.ts';
import { htmlIds, prefixedId } from '#contracts/html/index.ts';
import { trimEndOf } from '#contracts/index.ts';
import { homePath } from '#catalogue/addresses/paths.ts';
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

/**
 * Knows every post and page by its permanent address at the publishing site, by `/<slug>/` and by `?p=<id>`.
 * Relative addresses count as the publishing site's own.
 */
export function resolveLinksTo(siteUrl: string | undefined, articles: readonly Placed<LinkedRecord>[]): ResolveLink {
  const site = siteUrl !== undefined && URL.canParse(siteUrl) ? new URL(siteUrl) : undefined;
  if (!site) return () => undefined;
  const base = trimEndOf(site.pathname, '/');
  const paths = new Map<string, string>();
  const places = findPlaces(articles);
  for (const { record, path } of articles) {
    if (URL.canParse(record.link, site)) paths.set(normalise(new URL(record.link, site).pathname), path);
    paths.set(`?${record.id}`, path);
  }
  for (const { record, path } of articles) {
    const short = normalise(`${base}/${record.slug}`);
    if (!paths.has(short)) paths.set(short, path);
  }
  return (href, language) => {
    if (href.startsWith('#') || !URL.canParse(href, `${site.origin}${base}/`)) return undefined;
    const target = new URL(href, `${site.origin}${base}/`);
    if (!/^https?:$/.test(target.protocol) || bareHost(target) !== bareHost(site)) return undefined;
    const id = target.searchParams.get('p') ?? target.searchParams.get('page_id');
    const path = paths.get(id === null ? normalise(target.pathname) : `?${id}`);
    if (path !== undefined) return `${path}${places(path, target.hash)}`;
    const isHome = normalise(target.pathname) === normalise(base) && target.search === '';
    return isHome ? `${homePath(language)}${target.hash}` : undefined;
  };
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

const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');

function normalise(pathname: string): string {
  return decodeSlug(trimEndOf(pathname, '/')).toLowerCase();
}
