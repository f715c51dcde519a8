/** The request that Astro makes for a path: pages end with a slash, files don't. */
export function requestFor(pathname: string, type: string, siteUrl: string): Request {
  const bare = pathname.replace(/^\//, '').replace(/\/$/, '');
  return new Request(new URL(`/${bare}${type === 'endpoint' || bare === '' ? '' : '/'}`, siteUrl));
}
