import { MAX_PER_PAGE } from '#contracts/core/collection-query.ts';
import { getContentLength, MAX_ANONYMOUS_BYTES, MAX_BODY_BYTES, MAX_UNPERMITTED_BYTES } from './bounded-body.ts';
import {
  type DispatchScope,
  findAllowedMethods,
  dispatch,
  findRoute,
  findAuthorizationError,
  createNoRouteError,
  errorResponse,
  type RestResponse,
} from './dispatch.ts';
import { selectFields, parseQuery, getFieldSelection, type RestRequest } from './rest-request.ts';
import { readBody } from './read-body.ts';
import { closeFiles } from './read-form.ts';
import { RestError } from './rest-error.ts';
import type { ServedPath } from './route-registry.ts';

/** Describes a path for `OPTIONS`. */
export type DescribePath = (served: ServedPath) => unknown;

/** Serves a request: runs its handler or describes its path, embeds links, and selects fields. */
export async function serveRequest(
  bare: RestRequest,
  scope: DispatchScope,
  describePath: DescribePath,
): Promise<RestResponse> {
  const request = await addBody(bare, scope);
  try {
    return await respond(request, scope, describePath);
  } finally {
    await closeFiles(request.files ?? new Map());
  }
}

async function respond(request: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<RestResponse> {
  const response =
    request.method === 'OPTIONS' ? await describeRoute(request, scope, describe) : await dispatch(request, scope);
  const embed = readEmbed(request.query['_embed']);
  const body = embed ? await embedLinks(response.body, embed, embeddedReader(scope)) : response.body;
  const isError = response.status >= 400;
  return { ...response, body: isError ? body : shownPart(body, request, response.keepsLinks) };
}

function shownPart(body: unknown, request: RestRequest, keepsLinks = false): unknown {
  const shown = selectFields(body, getFieldSelection(request));
  const hasLinks = typeof body === 'object' && body !== null && '_links' in body;
  return keepsLinks && hasLinks && !Array.isArray(shown) ? { ...(shown as object), _links: body._links } : shown;
}

/**
 * Reads the body. The route determines whether it contains parameters or a file.
 *
 * Callers who may not upload get their error before the file is read, as do unauthorized callers with large bodies.
 */
async function addBody(request: RestRequest, scope: DispatchScope): Promise<RestRequest> {
  const { http } = request;
  const found = findRoute(request, scope.registry);
  // No route, so the body doesn't matter.
  if (!http || !found) return request;
  const { maxUploadBytes } = found.route.declaration;
  const { user } = scope.caller;
  const smallLimit = user ? MAX_UNPERMITTED_BYTES : MAX_ANONYMOUS_BYTES;
  const bytes = getContentLength(http.request);
  const isSmall = maxUploadBytes === undefined && bytes <= smallLimit;
  const denied = isSmall ? undefined : await findAuthorizationError(found, request, scope);
  if (maxUploadBytes !== undefined) return denied ? request : { ...request, ...(await readBody(http, maxUploadBytes)) };
  if (denied && Number.isFinite(bytes)) throw denied;
  try {
    return { ...request, ...(await readBody(http, 0, isSmall || denied || !user ? smallLimit : MAX_BODY_BYTES)) };
  } catch (error) {
    throw error instanceof RestError && denied ? denied : error;
  }
}

async function describeRoute(
  request: RestRequest,
  scope: DispatchScope,
  describe: DescribePath,
): Promise<RestResponse> {
  const [found] = scope.registry.find(request.path);
  if (!found) return errorResponse(createNoRouteError());
  const allow = await findAllowedMethods(found.served, found.captured, request, scope);
  return { status: 200, body: describe(found.served), ...(allow.length > 0 ? { allow } : {}) };
}

/**
 * Creates a function that reads linked rows in the embed context, once per address. Unknown addresses return an empty
 * list.
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
      return (await dispatch(paged, scope, { findAllowed: false })).body;
    });
}

function isPaged({ routes }: ServedPath): boolean {
  return routes.some(
    ({ declaration }) => declaration.method === 'GET' && 'per_page' in (declaration.query?.shape ?? {}),
  );
}

type Body = Record<string, unknown>;

interface LinkTarget {
  href: string;
  embeddable?: unknown;
}

/** Relations to embed: all embeddable ones, or the named ones. */
type EmbedSelection = 'all' | ReadonlySet<string>;

/** Parses `_embed`: empty, `1` and `true` mean all; otherwise a list of relations. */
function readEmbed(sent: unknown): EmbedSelection | undefined {
  if (sent === undefined) return undefined;
  const parts = [sent].flat().filter((part) => typeof part === 'string');
  const names = parts.flatMap((part) => part.split(/[\s,]+/)).filter((name) => name !== '');
  return names.length === 0 || names.some((name) => name === '1' || name.toLowerCase() === 'true')
    ? 'all'
    : new Set(names);
}

/**
 * Embeds the embeddable links of a row, or of each row of a list. `_embedded[relation]` is parallel to the links of
 * the relation. Relations without results are omitted.
 *
 * @param fetch reads an address of the interface in the embed context; errors are bodies too
 */
async function embedLinks(
  body: unknown,
  selection: EmbedSelection,
  fetch: (href: string) => Promise<unknown>,
): Promise<unknown> {
  if (Array.isArray(body)) return Promise.all(body.map((row) => embedLinks(row, selection, fetch)));
  if (!isRow(body)) return body;
  const relations = Object.entries(body._links).filter(
    ([relation, targets]) => (selection === 'all' || selection.has(relation)) && targets.some(isEmbeddable),
  );
  // In parallel, so that rows of the same kind are loaded together.
  const all = await Promise.all(
    relations.map(async ([relation, targets]) => {
      const found = await Promise.all(targets.map((target) => (isEmbeddable(target) ? fetch(target.href) : [])));
      return [relation, found] as const;
    }),
  );
  const embedded: Body = Object.fromEntries(all.filter(([, found]) => found.some(hasResult)));
  return Object.keys(embedded).length > 0 ? { ...body, _embedded: embedded } : body;
}

function isEmbeddable(target: LinkTarget): boolean {
  return target.embeddable === true;
}

function hasResult(found: unknown): boolean {
  return !(Array.isArray(found) && found.length === 0);
}

function isRow(body: unknown): body is Body & { _links: Record<string, LinkTarget[]> } {
  return typeof body === 'object' && body !== null && '_links' in body;
}
