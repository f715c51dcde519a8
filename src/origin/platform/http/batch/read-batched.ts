import type { BatchedRequest } from '#contracts/batch.ts';
import { parseQuery } from '../transport/parse-query.ts';
import type { RestRequest } from '../transport/rest-request.ts';
import type { BatchCall } from './find-batchable.ts';

/**
 * A request of a batch as a request to the interface. Of a whole address the path counts.
 *
 * @throws RestError when the path is none
 */
export function readBatched({ method, path, body }: BatchedRequest, call: BatchCall): RestRequest {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(path) ? readAddress(path, call) : path;
  const [plain = ''] = address.split('#');
  const at = plain.indexOf('?');
  const [inner, query] = at < 0 ? [plain, ''] : [plain.slice(0, at), plain.slice(at + 1)];
  // Without the slash in front it is no path below the root, and no route answers it.
  const route = inner.startsWith('/') ? decodePath(inner.slice(1).replace(/\/$/, '')) : `/${inner}`;
  return { method, path: route, query: parseQuery(query), ...(body === undefined ? {} : { form: body }) };
}

function readAddress(text: string, { refuse }: BatchCall): string {
  if (!URL.canParse(text)) throw refuse('parse_path_failed', 'The path of this request can not be read.');
  const { pathname, search } = new URL(text);
  return pathname + search;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
