import type { HttpMethod } from '#contracts/index.ts';
import type { RouteResult, DispatchedCall, Addresses } from './call.ts';
import { Memo, type OriginContext } from '#origin/platform/context/origin-context.ts';
import { parseLeniently, parseParameters, rejectOtherRow, type ParsedParameters } from './parse-parameters.ts';
import { RestError, createCommonError, errorFactory } from './rest-error.ts';
import {
  checkFields,
  mergeParameters,
  type RestRequest,
  type RawParameters,
  getFieldSelection,
  type MergedParameter,
} from './rest-request.ts';
import type { RouteRegistry, ServedPath, ServedRoute } from './route-registry.ts';
import type { z } from 'zod';
import type { Caller } from '../callers/caller.ts';

/** Status, body and header values of a response. */
export interface RestResponse {
  status: number;
  body: unknown;
  allow?: readonly HttpMethod[];
  total?: number;
  totalPages?: number;
  link?: string;
  location?: string;
  /** True if `_links` are returned even if they are not selected. */
  keepsLinks?: true;
  retryAfterSeconds?: number;
  /** True if the response is cacheable until the next write. */
  isKept?: true;
}

/**
 * Finds the route, parses parameters, authorizes and runs the handler. Errors become responses; bugs are thrown.
 *
 * @param options.findAllowed true to find the methods for the `Allow` header, @default true
 */
export async function dispatch(
  request: RestRequest,
  scope: DispatchScope,
  options: { findAllowed?: boolean } = {},
): Promise<RestResponse> {
  const match = findRoute(request, scope.registry);
  if (!match || !(await match.route.isServed(scope))) return errorResponse(createNoRouteError());
  const { served, route, captured } = match;
  const merged = mergeParameters(request, captured);
  const memo = new Memo();
  const callFor = (values: ParsedParameters, target: ServedRoute) =>
    createCall(target, values, merged, { ...scope, memo, request });

  let isAuthorized: boolean | undefined;
  let response: RestResponse;
  try {
    if (request.malformed) throw request.malformed;
    checkFields(request);
    const { caller, context } = scope;
    const call = callFor(await parseParameters(route, merged, { caller, context, memo }), route);
    rejectOtherRow(route, merged);
    isAuthorized = false;
    await route.permit(call);
    isAuthorized = true;
    response = toResponse(await route.answer(call), request, call, scope);
    if (route.isKept && call.method === 'GET' && response.status === 200) response.isKept = true;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    response = errorResponse(error);
  }

  if (options.findAllowed === false) return response;
  const allow = await allowedMethods(served, async (target) => {
    // A read doesn't change the row. After a write it may no longer exist, so authorization is not repeated.
    if (target === route && isAuthorized !== undefined && (!isAuthorized || target.declaration.method === 'GET'))
      return isAuthorized;
    return canCall(target, callFor(parseLeniently(target, merged), target));
  });
  return allow.length > 0 ? { ...response, allow } : response;
}

/**
 * Returns the authorization error for a call, as far as the path determines it. Undefined if it is allowed. The
 * handler doesn't run.
 */
export async function findAuthorizationError(
  { route, captured }: { route: ServedRoute; captured: Record<string, string> },
  request: RestRequest,
  scope: DispatchScope,
): Promise<RestError | undefined> {
  const merged = mergeParameters(request, captured);
  const call = createCall(route, parseLeniently(route, merged), merged, { ...scope, memo: new Memo(), request });
  try {
    await route.permit(call);
    return undefined;
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

/** Returns the methods that a caller may use on a path, with the parameters of a request. No handler runs. */
export async function findAllowedMethods(
  served: ServedPath,
  captured: Record<string, string>,
  request: RestRequest,
  scope: DispatchScope,
): Promise<readonly HttpMethod[]> {
  const merged = mergeParameters(request, captured);
  const memo = new Memo();
  return allowedMethods(served, (target) =>
    canCall(target, createCall(target, parseLeniently(target, merged), merged, { ...scope, memo, request })),
  );
}

export function createNoRouteError(): RestError {
  return createCommonError('rest_no_route', 'No route matches this address and method.');
}

/** Converts an error into a response. */
export function errorResponse(error: RestError): RestResponse {
  const { status, body, retryAfterSeconds } = error;
  return { status, body, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Finds the route of a request, with the parameters captured from its path. */
export function findRoute(
  request: RestRequest,
  registry: RouteRegistry,
): { served: ServedPath; route: ServedRoute; captured: Record<string, string> } | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const { served, captured } of registry.find(request.path)) {
    const route = served.routes.find(({ methods }) => (methods as readonly string[]).includes(method));
    if (route) return { served, route, captured };
  }
  return undefined;
}

async function allowedMethods(
  served: ServedPath,
  isAllowed: (route: ServedRoute) => Promise<boolean>,
): Promise<readonly HttpMethod[]> {
  const allowed: HttpMethod[] = [];
  for (const route of served.routes) if (await isAllowed(route)) allowed.push(...route.methods);
  return allowed;
}

async function canCall(route: ServedRoute, call: DispatchedCall): Promise<boolean> {
  // A parameter of another source may override a path parameter with an invalid value.
  const { params } = route.declaration;
  const values: Readonly<Record<string, unknown>> = call.params;
  if (Object.keys(params?.shape ?? {}).some((name) => values[name] === undefined)) return false;
  try {
    await route.permit(call);
    return true;
  } catch (error) {
    if (error instanceof RestError) return false;
    throw error;
  }
}

function toResponse(
  result: RouteResult<unknown>,
  request: RestRequest,
  call: DispatchedCall,
  scope: DispatchScope,
): RestResponse {
  const { status, body, location, alternate, total, paging, keepsLinks } = result;
  const response: RestResponse = {
    status,
    body,
    ...(location === undefined ? {} : { location }),
    ...(keepsLinks ? { keepsLinks } : {}),
  };
  if (alternate !== undefined) response.link = `<${alternate}>; rel="alternate"; type=text/html`;
  if (total === undefined || paging === undefined) return response;
  const totalPages = Math.ceil(total / paging.perPage);
  const address = `${scope.addresses.rest('')}${request.path}`;
  const link = pageLinks(address, request.query, { ...call.params, ...call.query }, paging.page, totalPages);
  return { ...response, total, totalPages, ...(link === undefined ? {} : { link }) };
}

/** Returns the `Link` header of a list: previous and next page, with the parsed parameters of the request. */
export function pageLinks(
  address: string,
  raw: RawParameters,
  parsed: Readonly<Record<string, unknown>>,
  page: number,
  totalPages: number,
): string | undefined {
  const parameters = new Map(
    Object.entries(raw).map(([name, value]) => [name, Object.hasOwn(parsed, name) ? parsed[name] : value]),
  );
  const linkTo = (target: number, relation: string) =>
    `<${address}?${writeQuery(new Map(parameters).set('page', target))}>; rel="${relation}"`;
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
function writeQuery(parameters: Iterable<readonly [string, unknown]>): string {
  return [...parameters].flatMap(([name, value]) => writePairs(name, value)).join('&');
}

function writePairs(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => writePairs(`${name}%5B${i}%5D`, item));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => writePairs(`${name}%5B${encode(key)}%5D`, inner));
  if (value === null || value === false || value === '') return [name];
  return [`${name}=${value === true ? '1' : encode(String(value))}`];
}

function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Creates the argument of a handler. */
function createCall(
  { declaration, methods }: ServedRoute,
  values: ParsedParameters,
  merged: ReadonlyMap<string, MergedParameter>,
  scope: DispatchScope & { memo: Memo; request: RestRequest },
): DispatchedCall {
  const { request } = scope;
  const pick = (object: z.ZodObject | undefined) => {
    const picked: ParsedParameters = {};
    for (const name in object?.shape) if (Object.hasOwn(values, name)) picked[name] = values[name];
    return picked;
  };
  const undeclared = [...merged]
    .filter(([name]) => !Object.hasOwn(values, name))
    .map(([name, { sent }]) => [name, sent]);
  const requestMethod = request.method === 'HEAD' ? 'GET' : request.method;
  const method = requestMethod === 'OPTIONS' ? requestMethod : methods.find((candidate) => candidate === requestMethod);
  return {
    method: method ?? declaration.method,
    isOffered: method === undefined,
    params: pick(declaration.params),
    query: pick(declaration.query),
    body: pick(declaration.body),
    others: Object.fromEntries(undeclared),
    sources: new Map([...merged].map(([name, { source }]) => [name, source])),
    files: request.files ?? new Map(),
    ...(declaration.maxUploadBytes && request.http ? { upload: request.http.request } : {}),
    caller: scope.caller,
    context: scope.context,
    addresses: scope.addresses,
    refuse: errorFactory(declaration.errors ?? {}, scope.caller),
    fields: getFieldSelection(request),
    methodsOn: (path) => scope.registry.methodsOn(path),
    memo: scope.memo,
    requestMemo: scope.requestMemo,
  };
}

/** Everything a dispatch needs in addition to the request. */
export interface DispatchScope {
  context: OriginContext;
  registry: RouteRegistry;
  addresses: Addresses;
  caller: Caller;
  requestMemo: Memo;
}
