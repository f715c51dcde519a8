import { sitePath } from '#catalogue/addresses/base.ts';

/** What Astro requests for a path: pages end with a slash, files don't. */
export function addressOf(pathname: string, type: string, siteUrl: string): URL {
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  return new URL(`${sitePath('/')}${bare}${type === 'endpoint' || bare === '' ? '' : '/'}`, siteUrl);
}
