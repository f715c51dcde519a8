import { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Required credentials: none, a token of the product interface, or a user of the publishing site. */
export type Access = 'public' | 'token' | 'user';

/** Maximum size of a response with a list, for both client and origin. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Declaration of a route. It defines validation, errors, `Allow` and `OPTIONS` of the origin, the site index, and typed
 * calls of the client.
 */
export interface RouteDeclaration {
  method: HttpMethod;
  /** Further methods of the same operation: updates accept POST, PUT and PATCH. */
  also?: readonly HttpMethod[];
  /**
   * Path relative to the root of the interface, with parameters in angle brackets: `core/v2/posts/<id>`. Product paths
   * end with a slash, publishing paths don't.
   */
  path: string;
  summary: string;
  access: Access;
  /** Version of the batch route that accepts this one. */
  batch?: 'v1';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /**
   * True if a body or query with another id than the path is accepted; the path takes precedence. Otherwise such
   * requests are rejected.
   */
  allowsOtherRow?: true;
  /** For routes that accept a file, as body or in a multipart form: maximum size of the file. */
  maxUploadBytes?: number;
  response: z.ZodType;
  /** Errors of the route, in addition to `COMMON_ERRORS`. */
  errors?: ErrorTable;
}

/** Declares a route with its exact types. */
export function route<const R extends RouteDeclaration>(declaration: R): R {
  return declaration;
}

type RouteDetails = Omit<RouteDeclaration, 'method' | 'also' | 'path' | 'access'>;

export function readRoute<const P extends string, const A extends Access, const R extends RouteDetails>(
  path: P,
  access: A,
  details: R,
) {
  return { method: 'GET', path, access, ...details } as const;
}

/** Declares a route that writes, and requires a user. */
export function writeRoute<const P extends string, const R extends RouteDetails>(path: P, details: R) {
  return { method: 'POST', path, access: 'user', ...details } as const;
}

const UPDATE_METHODS = ['PUT', 'PATCH'] as const;

/** Declares a route that updates a resource, and requires a user. */
export function updateRoute<const P extends string, const R extends RouteDetails>(path: P, details: R) {
  return { ...writeRoute(path, details), also: UPDATE_METHODS };
}

type PartOf<R extends RouteDeclaration, K extends 'params' | 'query' | 'body'> = R[K] extends z.ZodObject
  ? z.output<R[K]>
  : Record<never, never>;

export type RouteParams<R extends RouteDeclaration> = PartOf<R, 'params'>;
/** Query of a handler, with defaults applied. */
export type RouteQuery<R extends RouteDeclaration> = PartOf<R, 'query'>;
/** Query of a caller, with parsed types; all parameters are optional. */
export type RouteQueryInput<R extends RouteDeclaration> = Partial<PartOf<R, 'query'>>;
export type RouteBody<R extends RouteDeclaration> = PartOf<R, 'body'>;
export type RouteResponse<R extends RouteDeclaration> = z.output<R['response']>;
/** Response before it is parsed by the schema. */
export type RouteResponseInput<R extends RouteDeclaration> = z.input<R['response']>;
export type RouteErrors<R extends RouteDeclaration> = R['errors'] extends ErrorTable
  ? keyof R['errors'] & string
  : never;

/** Fills in the parameters of a route path, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/<(\w+)>/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`The route ${path} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
}

/**
 * HTTP status of an error code. `denied` is 401 for anonymous callers, who might sign in, and 403 for signed-in users.
 * The first of several statuses is the default.
 */
export type ErrorStatus = number | 'denied' | readonly [ErrorStatus, ...ErrorStatus[]];

export type ErrorTable = Readonly<Record<string, ErrorStatus>>;

/** Errors of every route, in addition to its own: transport, validation and sign-in. */
export const COMMON_ERRORS = {
  rest_no_route: 404,
  rest_missing_callback_param: 400,
  rest_invalid_param: 400,
  rest_invalid_json: 400,
  rest_body_too_large: 413,
  rest_response_too_large: 400,
  rest_upload_file_too_big: [413, 400],
  rest_callback_disabled: 400,
  rest_callback_invalid: 400,
  rest_forbidden: 'denied',
  rest_not_logged_in: 401,
  incorrect_password: 401,
  rest_cookie_invalid_nonce: 403,
  rest_too_many_attempts: 429,
  internal_server_error: 500,
  insufficient_storage: 507,
} as const satisfies ErrorTable;

export type CommonErrorCode = keyof typeof COMMON_ERRORS;

/** Returns a function that picks errors of a namespace by their codes. */
export function errorPicker<const T extends ErrorTable>(table: T) {
  return <Code extends keyof T & string>(...codes: Code[]): Pick<T, Code> => {
    const chosen: Partial<T> = {};
    for (const code of codes) chosen[code] = table[code];
    return chosen as Pick<T, Code>;
  };
}

/** Properties that the routes of a resource share. */
interface ResourceDeclaration extends Pick<RouteDeclaration, 'access' | 'batch'> {
  /** Path of the collection: `core/v2/posts`. */
  path: string;
  /** Parameters of an item. The last one follows the path of the collection. */
  params: z.ZodObject;
  /** Schema of an item. */
  resource: z.ZodType;
}

type Operation = 'list' | 'get' | 'create' | 'update' | 'remove';

type OperationDeclaration = Partial<RouteDeclaration> & Pick<RouteDeclaration, 'summary'>;

/** A route, with defaults for missing properties: a list responds with an array, other routes with the item. */
type ResourceRoute<R extends ResourceDeclaration, K extends Operation, D> = D &
  Pick<RouteDeclaration, 'method' | 'also' | 'path' | 'summary' | 'access' | 'batch'> &
  (K extends 'get' | 'update' | 'remove' ? Pick<R, 'params'> : unknown) &
  (D extends Pick<RouteDeclaration, 'response'>
    ? unknown
    : { response: K extends 'list' ? z.ZodArray<R['resource']> : R['resource'] });

/** Declares routes of a collection and its items. Writing requires a user; `access` applies to reading. */
export function resourceRoutes<
  const R extends ResourceDeclaration,
  const D extends Readonly<Partial<Record<Operation, OperationDeclaration>>>,
>(shared: R, operations: D): { [K in keyof D & Operation]: ResourceRoute<R, K, D[K]> } {
  const { path, params, access, batch, resource: response } = shared;
  const item = { path: `${path}/<${Object.keys(params.shape).at(-1)}>`, params, response };
  const defaults: Readonly<Record<Operation, Omit<RouteDeclaration, 'summary'>>> = {
    list: { method: 'GET', path, access, response: z.array(response) },
    get: { method: 'GET', access, ...item },
    create: { method: 'POST', path, access: 'user', response },
    update: { method: 'POST', also: UPDATE_METHODS, access: 'user', ...item },
    remove: { method: 'DELETE', access: 'user', ...item },
  };
  const routes = Object.entries(operations).map(([name, operation]) => [
    name,
    { ...(batch && { batch }), ...defaults[name as Operation], ...operation },
  ]);
  return Object.fromEntries(routes) as { [K in keyof D & Operation]: ResourceRoute<R, K, D[K]> };
}
