import qs from 'qs';
import { MAX_PER_PAGE } from '#contracts/core/collection-query.ts';
import type { HttpMethod } from '#contracts/index.ts';
import { Memo, type OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '../callers/caller.ts';
import type { Addresses, DispatchedCall } from './call.ts';
import { getContentLength, MAX_ANONYMOUS_BYTES, MAX_BODY_BYTES, MAX_UNPERMITTED_BYTES, readBody } from './read-body.ts';
import { errorResponse, type RestResponse } from './respond.ts';
import { createCommonError, errorFactory, invalidParameters, RestError, type ParameterProblem } from './rest-error.ts';
import {
  ALL_FIELDS,
  mergeParameters,
  parseQuery,
  readFields,
  selectFields,
  type FieldSelection,
  type MergedParameter,
  type RawParameters,
  type RestRequest,
} from './rest-request.ts';
import {
  parseLeniently,
  parseParameters,
  type ParsedParameters,
  type PathMatch,
  type RouteRegistry,
  type ServedPath,
  type ServedRoute,
} from './route-registry.ts';

/** Everything a dispatch needs in addition to the request. */
export interface DispatchScope {
  context: OriginContext;
  registry: RouteRegistry;
  addresses: Addresses;
  caller: Caller;
  requestMemo: Memo;
}

/** Describes a path for `OPTIONS`. */
export type DescribePath = (served: ServedPath) => unknown;

/** Serves an HTTP request: reads its body, then runs its handler or describes its path. */
export async function serveRequest(
  bare: RestRequest,
  scope: DispatchScope,
  describe: DescribePath,
): Promise<RestResponse> {
  if (bare.method === 'OPTIONS') {
    const [found] = scope.registry.find(bare.path);
    if (!found) return errorResponse(createNoRouteError());
    const fields = readFields(bare);
    const allow = await findAllowedMethods(found, bare, { ...scope, memo: new Memo() });
    const described = describe(found.served);
    const body = fields.tree ? selectFields(described, fields.tree) : described;
    return { status: 200, body, ...(allow.length > 0 ? { allow } : {}) };
  }
  const match = findRoute(bare, scope.registry);
  const request = match ? await addBody(bare, match, scope) : bare;
  try {
    return await dispatch(request, scope, { match, embed: bare.query['_embed'] });
  } finally {
    for (const file of request.files?.values() ?? []) await file.close();
  }
}

type RouteMatch = PathMatch & { route: ServedRoute };

/** Finds the route of a request, with the parameters captured from its path. */
export function findRoute(request: RestRequest, registry: RouteRegistry): RouteMatch | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const match of registry.find(request.path)) {
    const route = match.served.routes.find(({ methods }) => (methods as readonly string[]).includes(method));
    if (route) return { ...match, route };
  }
  return undefined;
}

/**
 * Reads the body. The route determines whether it contains parameters or a file.
 *
 * Callers who may not upload get their error before the file is read, as do unauthorized callers with large bodies.
 */
async function addBody(request: RestRequest, match: RouteMatch, scope: DispatchScope): Promise<RestRequest> {
  const { http } = request;
  // Bodies without a type are ignored.
  if (!http?.request.headers.has('content-type')) return request;
  const { maxUploadBytes } = match.route.declaration;
  const { user } = scope.caller;
  const smallLimit = user ? MAX_UNPERMITTED_BYTES : MAX_ANONYMOUS_BYTES;
  const bytes = getContentLength(http.request);
  const isSmall = maxUploadBytes === undefined && bytes <= smallLimit;
  const denied = isSmall ? undefined : await findAuthorizationError(match.route, earlyCall(match, request, scope));
  if (maxUploadBytes !== undefined) return denied ? request : { ...request, ...(await readBody(http, maxUploadBytes)) };
  if (denied && Number.isFinite(bytes)) throw denied;
  try {
    return { ...request, ...(await readBody(http, 0, isSmall || denied || !user ? smallLimit : MAX_BODY_BYTES)) };
  } catch (error) {
    throw error instanceof RestError && denied ? denied : error;
  }
}

interface DispatchOptions {
  /** @default the route that matches the request */
  match?: RouteMatch | undefined;
  /** The parameter `_embed`. */
  embed?: unknown;
  /** True to find the methods for the `Allow` header. @default true */
  findAllowed?: boolean;
}

/**
 * Parses parameters, authorizes, runs the handler, embeds links and selects fields. Errors become responses; bugs are
 * thrown.
 */
export async function dispatch(
  request: RestRequest,
  scope: DispatchScope,
  { match = findRoute(request, scope.registry), embed, findAllowed = true }: DispatchOptions = {},
): Promise<RestResponse> {
  if (!match || (await match.route.isServed?.(scope)) === false) return errorResponse(createNoRouteError());
  const { caller, context } = scope;
  const { route, captured } = match;
  const isRead = route.declaration.method === 'GET';
  const merged = mergeParameters(request, captured);
  const memo = new Memo();
  let isAuthorized: boolean | undefined;
  let response: RestResponse;
  try {
    if (request.malformed) throw request.malformed;
    const fields = readFields(request);
    const values = await parseParameters(route, merged, { caller, context, memo });
    if (route.declaration.params && !route.declaration.allowsOtherRow) rejectOtherRow(values, merged);
    const call = createCall(route, values, merged, { ...scope, memo, request, fields });
    isAuthorized = false;
    await route.permit(call);
    isAuthorized = true;
    const { alternate, paging, keepsLinks, ...result } = await route.answer(call);
    response = result;
    if (alternate !== undefined) response.link = `<${alternate}>; rel="alternate"; type=text/html`;
    if (result.total !== undefined && paging) {
      response.totalPages = Math.ceil(result.total / paging.perPage);
      const address = `${scope.addresses.rest('')}${request.path}`;
      const parsed = { ...values.params, ...values.query };
      const link = pageLinks(address, request.query, parsed, paging.page, response.totalPages);
      if (link !== undefined) response.link = link;
    }
    if (route.isKept && isRead && response.status === 200) response.isKept = true;
    if (response.status < 400) {
      const body = embed === undefined ? response.body : await embedLinks(response.body, parseEmbed(embed), scope);
      response.body = fields.tree ? selectFields(body, fields.tree) : body;
      if (keepsLinks && isRow(body) && !Array.isArray(response.body))
        response.body = { ...(response.body as object), _links: body._links };
    }
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    response = errorResponse(error);
  }
  if (!findAllowed) return response;
  // A read doesn't change the row. After a write it may no longer exist.
  const known = isAuthorized === false || (isAuthorized && isRead) ? { route, isAuthorized } : undefined;
  const allow = await findAllowedMethods(match, request, { ...scope, memo: isRead ? memo : new Memo() }, known);
  return allow.length > 0 ? { ...response, allow } : response;
}

/**
 * Rejects a request whose body or query contradicts the row in its path.
 *
 * @throws RestError `rest_invalid_param`
 */
function rejectOtherRow({ params }: ParsedParameters, merged: ReadonlyMap<string, MergedParameter>): void {
  const problems: ParameterProblem[] = [];
  for (const name in params) {
    const { sent, source, captured } = merged.get(name) ?? {};
    if (captured === undefined || source === 'path' || String(sent) === captured) continue;
    if (/^\d+$/.test(captured) && Number(sent) === Number(captured)) continue;
    const text = `${name} is ${String(sent)} but the address contains ${captured}. Remove ${name} from body and query.`;
    problems.push({ name, text });
  }
  if (problems.length > 0) throw invalidParameters(problems);
}

/** Creates a call before the body is read. */
function earlyCall({ route, captured }: RouteMatch, request: RestRequest, scope: DispatchScope): DispatchedCall {
  const merged = mergeParameters(request, captured);
  return createCall(route, parseLeniently(route, merged), merged, { ...scope, memo: new Memo(), request });
}

/** Returns the authorization error for a call. Undefined if it is allowed. The handler doesn't run. */
async function findAuthorizationError(route: ServedRoute, call: DispatchedCall): Promise<RestError | undefined> {
  try {
    await route.permit(call);
    return undefined;
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

/**
 * Returns the methods that a caller may use on a path, with the query of a request. No handler runs.
 *
 * @param known result of an authorization that has already run
 */
export async function findAllowedMethods(
  { served, captured }: PathMatch,
  request: RestRequest,
  scope: DispatchScope & { memo: Memo },
  known?: { route: ServedRoute; isAuthorized: boolean },
): Promise<readonly HttpMethod[]> {
  const merged = mergeParameters({ query: request.query }, captured);
  const allowed: HttpMethod[] = [];
  for (const route of served.routes) {
    if (route === known?.route) {
      if (known.isAuthorized) allowed.push(...route.methods);
      continue;
    }
    if (route.declaration.access === 'user' && !scope.caller.user) continue;
    const call = createCall(route, parseLeniently(route, merged), merged, { ...scope, request });
    // A parameter of another source may override a path parameter with an invalid value.
    if (Object.values(call.params).includes(undefined)) continue;
    if (!(await findAuthorizationError(route, call))) allowed.push(...route.methods);
  }
  return allowed;
}

export function createNoRouteError(): RestError {
  return createCommonError('rest_no_route', 'No route matches this address and method.');
}

/** Creates the argument of a handler. */
function createCall(
  { declaration, methods, parameters }: ServedRoute,
  values: ParsedParameters,
  merged: ReadonlyMap<string, MergedParameter>,
  {
    request,
    registry,
    fields = ALL_FIELDS,
    ...scope
  }: DispatchScope & { memo: Memo; request: RestRequest; fields?: FieldSelection },
): DispatchedCall {
  const requestMethod = request.method === 'HEAD' ? 'GET' : request.method;
  const method = requestMethod === 'OPTIONS' ? requestMethod : methods.find((candidate) => candidate === requestMethod);
  const others: Record<string, unknown> = {};
  for (const [name, { sent }] of merged) if (!parameters.some((one) => one.name === name)) others[name] = sent;
  return {
    ...values,
    ...scope,
    method: method ?? declaration.method,
    others,
    sources: merged,
    files: request.files ?? new Map(),
    ...(declaration.maxUploadBytes && request.http ? { upload: request.http.request } : {}),
    refuse: (code, message, options) => errorFactory(declaration.errors ?? {}, scope.caller)(code, message, options),
    fields,
    methodsOn: registry.methodsOn,
  };
}

/** Returns the `Link` header of a list: previous and next page, with the parsed parameters of the request. */
function pageLinks(
  address: string,
  raw: RawParameters,
  parsed: Readonly<Record<string, unknown>>,
  page: number,
  totalPages: number,
): string | undefined {
  const parameters = Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, Object.hasOwn(parsed, name) ? parsed[name] : value]),
  );
  const linkTo = (target: number, relation: string) =>
    `<${address}?${writeQuery({ ...parameters, page: target })}>; rel="${relation}"`;
  const links = [
    ...(page > 1 ? [linkTo(Math.min(page - 1, totalPages), 'prev')] : []),
    ...(page < totalPages ? [linkTo(page + 1, 'next')] : []),
  ];
  return links.length > 0 ? links.join(', ') : undefined;
}

/**
 * Encodes parameters as links of this interface do: brackets for lists and maps, `1` for true, a bare name for false
 * and the empty text. Empty lists are omitted.
 */
function writeQuery(parameters: RawParameters): string {
  const shorten = (value: unknown) => (value === true ? '1' : value === false || value === '' ? null : value);
  return qs.stringify(parameters, {
    strictNullHandling: true,
    filter: (_, value) => shorten(value),
    encoder: (text: unknown) =>
      encodeURIComponent(String(text))
        .replaceAll('%20', '+')
        .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  });
}

type Body = Record<string, unknown>;

interface LinkTarget {
  href: string;
  embeddable?: unknown;
}

/** Parses `_embed`: empty, `1` and `true` mean all embeddable relations; otherwise a list of relations. */
function parseEmbed(sent: unknown): 'all' | ReadonlySet<string> {
  const parts = [sent].flat().filter((part) => typeof part === 'string');
  const names = parts.flatMap((part) => part.split(/[\s,]+/)).filter((name) => name !== '');
  const isAll = names.length === 0 || names.some((name) => name === '1' || name.toLowerCase() === 'true');
  return isAll ? 'all' : new Set(names);
}

/**
 * Embeds the embeddable links of a row, or of each row of a list. `_embedded[relation]` is parallel to the links of
 * the relation. Relations without results are omitted.
 */
async function embedLinks(
  body: unknown,
  selection: ReturnType<typeof parseEmbed>,
  scope: DispatchScope,
): Promise<unknown> {
  if (Array.isArray(body)) return Promise.all(body.map((row) => embedLinks(row, selection, scope)));
  if (!isRow(body)) return body;
  const isEmbeddable = ({ embeddable }: LinkTarget) => embeddable === true;
  const relations = Object.entries(body._links).filter(
    ([relation, targets]) => (selection === 'all' || selection.has(relation)) && targets.some(isEmbeddable),
  );
  // In parallel, so that rows of the same kind are loaded together.
  const all = await Promise.all(
    relations.map(async ([relation, targets]) => {
      const read = (target: LinkTarget) => (isEmbeddable(target) ? readEmbedded(target.href, scope) : []);
      return [relation, await Promise.all(targets.map(read))] as const;
    }),
  );
  const hasResult = (found: unknown) => !(Array.isArray(found) && found.length === 0);
  const embedded: Body = Object.fromEntries(all.filter(([, found]) => found.some(hasResult)));
  return Object.keys(embedded).length > 0 ? { ...body, _embedded: embedded } : body;
}

/** Reads a linked row in the embed context, once per address. Unknown addresses return an empty list. */
function readEmbedded(href: string, scope: DispatchScope): Promise<unknown> {
  return scope.requestMemo.once(`embedded ${href}`, async () => {
    const [path = '', query = ''] = href.slice(scope.addresses.rest('').length).split('?');
    const request = { method: 'GET', path, query: { ...parseQuery(query), context: 'embed' } };
    const found = scope.registry.find(path);
    if (found.length === 0) return [];
    const isList = found.some(({ served }) => served.routes.some(isPaged));
    const paged = isList ? { ...request, query: { per_page: String(MAX_PER_PAGE), ...request.query } } : request;
    return (await dispatch(paged, scope, { findAllowed: false })).body;
  });
}

function isPaged({ declaration: { method, query } }: ServedRoute): boolean {
  return method === 'GET' && 'per_page' in (query?.shape ?? {});
}

function isRow(body: unknown): body is Body & { _links: Record<string, LinkTarget[]> } {
  return typeof body === 'object' && body !== null && '_links' in body;
}
