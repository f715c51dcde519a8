import type { HttpBindings } from '@hono/node-server';
import { parseQuery } from './parse-query.ts';
import type { RestRequest } from './rest-request.ts';

/**
 * Reads an HTTP request below the REST root. The method may be overridden by `_method` or a header.
 *
 * @param path below the REST root, as in the address
 */
export function readRequest(raw: Request, path: string, incoming?: HttpBindings['incoming']): RestRequest {
  const query = parseQuery(new URL(raw.url).search.slice(1));
  delete query['rest_route'];
  const override = query['_method'] ?? raw.headers.get('x-http-method-override') ?? raw.method;
  return {
    method: String(override).toUpperCase(),
    path: cleanPath(path),
    query,
    http: { request: raw, ...(incoming ? { incoming } : {}) },
  };
}

function cleanPath(path: string): string {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  try {
    return decodeURIComponent(inner);
  } catch {
    return inner;
  }
}
