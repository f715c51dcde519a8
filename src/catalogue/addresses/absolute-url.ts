/** Paths without characters that a URL parser would escape or normalise. */
const PLAIN_PATH = /^\/(?:_?[\da-z]+(?:[-._][\da-z]+)*(?:\/|$))*$/i;

/**
 * Resolves a path against the site's origin. Absolute URLs are returned unchanged. The pattern avoids a URL parser for
 * most paths, because each page has a dozen of them.
 */
export function absoluteUrl(path: string, site: URL): string {
  return PLAIN_PATH.test(path) ? site.origin + path : new URL(path, site).href;
}
