import { sitePath } from '#catalogue/addresses/base.ts';

/** Returns the URL that Astro requests for a path: pages end with a slash, files don't. */
export function requestUrl(pathname: string, type: string, siteUrl: string): URL {
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  return new URL(`${sitePath('/')}${bare}${type === 'endpoint' || bare === '' ? '' : '/'}`, siteUrl);
}
