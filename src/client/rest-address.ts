import { serializeQuery } from './serialize-query.ts';

/**
 * Returns the URL of a route below a REST root. The root is a folder (`https://host/wp-json/`) or, on sites without
 * pretty permalinks, a parameter (`https://host/?rest_route=/`).
 */
export function restAddress(root: string, path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const text = serializeQuery(query);
  return root + path + (root.includes('?') ? text.replace('?', '&') : text);
}
