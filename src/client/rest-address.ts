import { serializeQuery } from './serialize-query.ts';

/**
 * The address of a route below a REST root, which is a folder (`https://host/wp-json/`) or, on sites without
 * readable addresses, a parameter (`https://host/?rest_route=/`).
 */
export function restAddress(root: string, path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const text = serializeQuery(query);
  return root + path + (root.includes('?') ? text.replace('?', '&') : text);
}
