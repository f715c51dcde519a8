import { trimEndOf } from '../contracts/index.ts';
import { homePath } from '../catalogue/addresses/paths.ts';
import type { WritingRecord } from '../snapshot/index.ts';
import { decodeSlug } from './decode-slug.ts';
import type { Placed } from './place-posts.ts';

/** Turns an address into a path of this site, or gives undefined where it leads elsewhere. */
export type ResolveLink = (href: string, language: string) => string | undefined;

/**
 * Knows every post and page by its permanent address at the publishing site, by `/<slug>/` and by `?p=<id>`.
 * Relative addresses count as the publishing site's own.
 */
export function resolveLinksTo(siteUrl: string | undefined, writings: readonly Placed<WritingRecord>[]): ResolveLink {
  const site = siteUrl !== undefined && URL.canParse(siteUrl) ? new URL(siteUrl) : undefined;
  if (!site) return () => undefined;
  const base = trimEndOf(site.pathname, '/');
  const paths = new Map<string, string>();
  for (const { record, path } of writings) {
    if (URL.canParse(record.link, site)) paths.set(normalise(new URL(record.link, site).pathname), path);
    paths.set(`?${record.id}`, path);
  }
  for (const { record, path } of writings) {
    const short = normalise(`${base}/${record.slug}`);
    if (!paths.has(short)) paths.set(short, path);
  }
  return (href, language) => {
    if (href.startsWith('#') || !URL.canParse(href, `${site.origin}${base}/`)) return undefined;
    const target = new URL(href, `${site.origin}${base}/`);
    if (!/^https?:$/.test(target.protocol) || bareHost(target) !== bareHost(site)) return undefined;
    const id = target.searchParams.get('p') ?? target.searchParams.get('page_id');
    const path = paths.get(id === null ? normalise(target.pathname) : `?${id}`);
    if (path !== undefined) return `${path}${target.hash}`;
    const isHome = normalise(target.pathname) === normalise(base) && target.search === '';
    return isHome ? `${homePath(language)}${target.hash}` : undefined;
  };
}

const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');

function normalise(pathname: string): string {
  return decodeSlug(trimEndOf(pathname, '/')).toLowerCase();
}
