import { MAX_PER_PAGE } from '../../../contracts/core/index.ts';
import {
  allowedOn,
  dispatch,
  findRoute,
  isPermitted,
  noRoute,
  refusal,
  type DispatchScope,
  type Outcome,
} from './dispatch.ts';
import { embedLinks, readEmbed } from './embed-links.ts';
import { parseQuery } from './parse-query.ts';
import { readBody } from './read-body.ts';
import { closeFiles } from './read-form.ts';
import { fieldsOf, type RestRequest } from './rest-request.ts';
import { selectFields } from './select-fields.ts';
import type { ServedPath } from './route-registry.ts';

/** Describes a path for `OPTIONS`. */
export type DescribePath = (served: ServedPath) => unknown;

/** A request from start to end: answered or described, linked rows embedded, fields selected. */
export async function serveRequest(bare: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<Outcome> {
  const request = await addBody(bare, scope);
  try {
    return await answer(request, scope, describe);
  } finally {
    await closeFiles(request.files ?? new Map());
  }
}

async function answer(request: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<Outcome> {
  const outcome =
    request.method === 'OPTIONS' ? await describeTo(request, scope, describe) : await dispatch(request, scope);
  const embed = readEmbed(request.query['_embed']);
  const body = embed ? await embedLinks(outcome.body, embed, embeddedReader(scope)) : outcome.body;
  const isError = outcome.status >= 400;
  return { ...outcome, body: isError ? body : shownPart(body, request, outcome.keepsLinks) };
}

function shownPart(body: unknown, request: RestRequest, keepsLinks = false): unknown {
  const shown = selectFields(body, fieldsOf(request));
  const hasLinks = typeof body === 'object' && body !== null && '_links' in body;
  return keepsLinks && hasLinks && !Array.isArray(shown) ? { ...(shown as object), _links: body._links } : shown;
}

/** Only the route tells whether a body holds parameters or is a file. Who may send none is told so before it is read. */
async function addBody(request: RestRequest, scope: DispatchScope): Promise<RestRequest> {
  if (!request.http) return request;
  const found = findRoute(request, scope.registry);
  const maxUploadBytes = found?.route.declaration.maxUploadBytes;
  if (found && maxUploadBytes !== undefined && !(await isPermitted(found, request, scope))) return request;
  return { ...request, ...(await readBody(request.http, maxUploadBytes)) };
}

async function describeTo(request: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<Outcome> {
  const [found] = scope.registry.find(request.path);
  if (!found) return refusal(noRoute());
  const allow = await allowedOn(found.served, found.captured, request, scope);
  return { status: 200, body: describe(found.served), ...(allow.length > 0 ? { allow } : {}) };
}

/**
 * Reads linked rows in the embed context, each address once however many rows link to it. What no route answers
 * holds nothing.
 */
function embeddedReader(scope: DispatchScope): (href: string) => Promise<unknown> {
  const root = scope.addresses.rest('');
  return (href) =>
    scope.requestMemo.once(`embedded ${href}`, async () => {
      const [path = '', query = ''] = href.slice(root.length).split('?');
      const request = { method: 'GET', path, query: { ...parseQuery(query), context: 'embed' } };
      const found = scope.registry.find(path);
      if (found.length === 0) return [];
      const isList = found.some(({ served }) => isPaged(served));
      const paged = isList ? { ...request, query: { per_page: String(MAX_PER_PAGE), ...request.query } } : request;
      return (await dispatch(paged, scope, { tellAllowed: false })).body;
    });
}

function isPaged({ routes }: ServedPath): boolean {
  return routes.some(
    ({ declaration }) => declaration.method === 'GET' && 'per_page' in (declaration.query?.shape ?? {}),
  );
}
