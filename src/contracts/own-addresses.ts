import { trimEndOf } from './scan-text.ts';

export interface PathBelow {
  /** Path below the address, with a slash in front. */
  path: string;
  /** False if the hosts differ by `www.`: they are the same site almost always, but not necessarily. */
  isExact: boolean;
}

/**
 * Paths of an address below each of the addresses of a site, in their order; none for an address of another site. A
 * site may have several: one for its pages, one for its files, and one that it is reached at. HTTP and HTTPS of one host
 * and port are the same site.
 */
export function pathsBelow(url: URL, addresses: readonly string[]): PathBelow[] {
  if (!/^https?:$/.test(url.protocol)) return [];
  return addresses.flatMap((address) => {
    const site = URL.parse(address);
    if (!site || bareHost(url) !== bareHost(site)) return [];
    const base = trimEndOf(site.pathname, '/');
    const isBelow = url.pathname === base || url.pathname.startsWith(`${base}/`);
    return isBelow ? [{ path: url.pathname.slice(base.length) || '/', isExact: url.host === site.host }] : [];
  });
}

const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');
