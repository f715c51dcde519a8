import { sitePath } from '#catalogue/addresses/base.ts';

/** The request that Astro makes for a path. */
export function requestFor(pathname: string, type: string, siteUrl: string): Request {
  return new Request(addressOf(pathname, type, siteUrl));
}

/** The path of that request, as an address has it. */
export function requestPath(pathname: string, type: string, siteUrl: string): string {
  return addressOf(pathname, type, siteUrl).pathname;
}

/** Pages end with a slash, files don't. */
function addressOf(pathname: string, type: string, siteUrl: string): URL {
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  return new URL(`${sitePath('/')}${bare}${type === 'endpoint' || bare === '' ? '' : '/'}`, siteUrl);
}
