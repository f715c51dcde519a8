/** Letters, digits and single hyphens, dots or underscores between them: what no address writes in another way. */
const PLAIN_PATH = /^\/(?:_?[\da-z]+(?:[-._][\da-z]+)*(?:\/|$))*$/i;

/**
 * Address of a path of the host, which an absolute address stays. Pages write a dozen addresses, and nearly all of
 * them need no parser.
 */
export function absoluteUrl(path: string, site: URL): string {
  return PLAIN_PATH.test(path) ? site.origin + path : new URL(path, site).href;
}
