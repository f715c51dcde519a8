import type { HttpMethod } from '#contracts/index.ts';
import type { Answer } from './answer.ts';
import { type DispatchScope, buildCall } from './build-call.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import type { DispatchedCall } from './call.ts';
import { parseLeniently, parseParameters, refuseOtherRow, type ParsedParameters } from './parse-parameters.ts';
import { RestError, refuseCommon } from './rest-error.ts';
import { checkFields, mergeParameters, type RestRequest, type SentParameters } from './rest-request.ts';
import type { RouteRegistry, ServedPath, ServedRoute } from './route-registry.ts';

/** What became of a request: a body, and what its headers will say. */
export interface Outcome {
  status: number;
  body: unknown;
  allow?: readonly HttpMethod[];
  total?: number;
  totalPages?: number;
  link?: string;
  location?: string;
  /** Whether `_links` stay, whatever fields were asked for. */
  keepsLinks?: true;
  retryAfterSeconds?: number;
  /** Whether the same may be answered again until the store changes. */
  isKept?: true;
}

/**
 * Finds the route, parses, asks for permission, answers. Every refusal becomes an outcome; faults are thrown.
 *
 * @param options.tellAllowed whether to find out which other methods the caller may use. @default true
 */
export async function dispatch(
  request: RestRequest,
  scope: DispatchScope,
  options: { findAllowed?: boolean } = {},
): Promise<Outcome> {
  const found = findRoute(request, scope.registry);
  if (!found || !(await found.route.isServed(scope))) return refusal(noRoute());
  const { served, route, captured } = found;
  const merged = mergeParameters(request, captured);
  const memo = new Memo();
  const callFor = (values: ParsedParameters, target: ServedRoute) =>
    buildCall(target, values, merged, { ...scope, memo, request });

  let permitted: boolean | undefined;
  let outcome: Outcome;
  try {
    if (request.malformed) throw request.malformed;
    checkFields(request);
    const { caller, context } = scope;
    const call = callFor(await parseParameters(route, merged, { caller, context, memo }), route);
    refuseOtherRow(route, merged);
    permitted = false;
    await route.permit(call);
    permitted = true;
    outcome = presentAnswer(await route.answer(call), request, call, scope);
    if (route.isKept && call.method === 'GET' && outcome.status === 200) outcome.isKept = true;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    outcome = refusal(error);
  }

  if (options.findAllowed === false) return outcome;
  const allow = await allowedMethods(served, async (target) => {
    // What is read stays as it was; after a write the row may be gone.
    if (target === route && permitted !== undefined && (!permitted || target.declaration.method === 'GET'))
      return permitted;
    return mayCall(target, callFor(parseLeniently(target, merged), target));
  });
  return allow.length > 0 ? { ...outcome, allow } : outcome;
}

/** Why a caller may not call a route, as far as the address tells; nothing for who may. Nothing is answered. */
export async function findRefusal(
  { route, captured }: { route: ServedRoute; captured: Record<string, string> },
  request: RestRequest,
  scope: DispatchScope,
): Promise<RestError | undefined> {
  const merged = mergeParameters(request, captured);
  const call = buildCall(route, parseLeniently(route, merged), merged, { ...scope, memo: new Memo(), request });
  try {
    await route.permit(call);
    return undefined;
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

/** What a caller may do on a path, asked with the parameters of a request; nothing is answered. */
export async function allowedOn(
  served: ServedPath,
  captured: Record<string, string>,
  request: RestRequest,
  scope: DispatchScope,
): Promise<readonly HttpMethod[]> {
  const merged = mergeParameters(request, captured);
  const memo = new Memo();
  return allowedMethods(served, (target) =>
    mayCall(target, buildCall(target, parseLeniently(target, merged), merged, { ...scope, memo, request })),
  );
}

export function noRoute(): RestError {
  return refuseCommon('rest_no_route', 'No route answers this address with this method.');
}

/** The outcome of a refusal. */
export function refusal(error: RestError): Outcome {
  const { status, body, retryAfterSeconds } = error;
  return { status, body, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** The route that answers a request, with what its path captures. */
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

async function mayCall(route: ServedRoute, call: DispatchedCall): Promise<boolean> {
  // A parameter of another source may stand for one in the path, and be no such thing.
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

function presentAnswer(
  answer: Answer<unknown>,
  request: RestRequest,
  call: DispatchedCall,
  scope: DispatchScope,
): Outcome {
  const { status, body, location, alternate, total, paging, keepsLinks } = answer;
  const outcome: Outcome = {
    status,
    body,
    ...(location === undefined ? {} : { location }),
    ...(keepsLinks ? { keepsLinks } : {}),
  };
  if (alternate !== undefined) outcome.link = `<${alternate}>; rel="alternate"; type=text/html`;
  if (total === undefined || paging === undefined) return outcome;
  const totalPages = Math.ceil(total / paging.perPage);
  const address = `${scope.addresses.rest('')}${request.path}`;
  const link = pageLinks(address, request.query, { ...call.params, ...call.query }, paging.page, totalPages);
  return { ...outcome, total, totalPages, ...(link === undefined ? {} : { link }) };
}

/**
 * The `Link` header of a list: the pages before and after this one, with the request's own parameters as they
 * were understood.
 */
export function pageLinks(
  address: string,
  sent: SentParameters,
  understood: Readonly<Record<string, unknown>>,
  page: number,
  totalPages: number,
): string | undefined {
  const parameters = new Map(
    Object.entries(sent).map(([name, value]) => [name, Object.hasOwn(understood, name) ? understood[name] : value]),
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
 * Writes parameters as links of this interface do: brackets for lists and maps, `1` for yes, and a bare name for
 * no and for the empty text. Empty lists vanish.
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
