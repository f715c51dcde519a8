import type { z } from 'zod';
import type { ErrorTable } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anybody, the holder of a product-interface token, or a signed-in user of the publishing site. */
export type Access = 'public' | 'token' | 'user';

/** Maximum size of a list in a response. The client reads no more, and the origin sends no more. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * A route, declared once. The origin's validation, errors, `Allow` and `OPTIONS`, the site index, and the typed
 * call of the client are all derived from it.
 */
export interface RouteDeclaration {
  method: HttpMethod;
  /** Methods that do the same: an update answers to POST, PUT and PATCH alike. */
  also?: readonly HttpMethod[];
  /** Relative to the interface's root, captures in angle brackets: `core/v2/posts/<id>`. Publishing paths have no slash at the end, product paths do. */
  path: string;
  summary: string;
  access: Access;
  /** Version of the batch route that accepts this one. */
  batch?: 'v1';
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /**
   * Whether a body or a query may name another row than the path, which is then the row that counts. Such requests are
   * refused otherwise.
   */
  allowsOtherRow?: true;
  /** Routes that take a file, as their body or in a multipart form: what it may measure. */
  maxUploadBytes?: number;
  response: z.ZodType;
  /** What the route itself refuses with; `COMMON_ERRORS` go without saying. */
  errors?: ErrorTable;
}

/** Declares a route and keeps its exact types. */
export function route<const R extends RouteDeclaration>(declaration: R): R {
  return declaration;
}

type PartOf<R extends RouteDeclaration, K extends 'params' | 'query' | 'body'> = R[K] extends z.ZodObject
  ? z.output<R[K]>
  : Record<never, never>;

export type RouteParams<R extends RouteDeclaration> = PartOf<R, 'params'>;
/** A query as a handler sees it, defaults applied. */
export type RouteQuery<R extends RouteDeclaration> = PartOf<R, 'query'>;
/** A query as a caller writes it: everything optional, parsed types. */
export type RouteQueryInput<R extends RouteDeclaration> = Partial<PartOf<R, 'query'>>;
export type RouteBody<R extends RouteDeclaration> = PartOf<R, 'body'>;
export type RouteResponse<R extends RouteDeclaration> = z.output<R['response']>;
/** A response as it is sent, before a caller's schema reads it. */
export type RouteAnswer<R extends RouteDeclaration> = z.input<R['response']>;
/** Codes that a route declares. */
export type RouteErrors<R extends RouteDeclaration> = R['errors'] extends ErrorTable
  ? keyof R['errors'] & string
  : never;

/** Fills the captures of a route's path, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/<(\w+)>/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`The route ${path} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
}
