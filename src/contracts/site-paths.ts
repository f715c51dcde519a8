import { trimTrailing } from './scan-text.ts';

/**
 * Returns the paths of a URL below each base URL of a site, in their order; empty for other sites. A site may have
 * several base URLs: for pages, for files, and for requests. HTTP and HTTPS of the same host and port are the same
 * site. A path starts with a slash. `isExact` is false if the hosts differ by `www.`: usually, but not necessarily, the
 * same site.
 */
export function pathsBelow(url: URL, addresses: readonly string[]): { path: string; isExact: boolean }[] {
  if (!/^https?:$/.test(url.protocol)) return [];
  return addresses.flatMap((address) => {
    const site = URL.parse(address);
    if (!site || bareHost(url.host) !== bareHost(site.host)) return [];
    const base = trimTrailing(site.pathname, '/');
    const isBelow = url.pathname === base || url.pathname.startsWith(`${base}/`);
    return isBelow ? [{ path: url.pathname.slice(base.length) || '/', isExact: url.host === site.host }] : [];
  });
}

export const bareHost = (host: string): string => host.replace(/^www\./, '');
