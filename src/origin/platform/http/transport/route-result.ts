/** Page of a list. */
export interface Paging {
  page: number;
  perPage: number;
}

/** Name shown by the compiler if a result lacks a field. */
declare const allFieldsOrPresentFields: unique symbol;

/** The selected fields of a resource. Only `presentFields` and its variants create it. */
export type SelectedFields<T> = Partial<T> & { readonly [allFieldsOrPresentFields]: T };

/** Accepted bodies: a complete resource, or selections of it or its parts. */
export type Body<T> = T | SelectedFields<T> | { readonly [K in keyof T]: T[K] | SelectedFields<T[K]> };

/** Result of a handler, independent of HTTP. */
export interface RouteResult<T> {
  status: number;
  body: Body<T>;
  /** Lists: number of matching rows on all pages, and the current page. */
  total?: number;
  paging?: Paging;
  /** Content items: address of the public page. */
  alternate?: string;
  /** True if `_links` are returned even if they are not selected. */
  keepsLinks?: true;
  /** Created rows: their address. */
  location?: string;
}

// `NoInfer` fixes the type to the route's response, so that literals with other fields are rejected.

/** Result with a single resource. */
export function item<T>(body: NoInfer<Body<T>>, options: { alternate?: string } = {}): RouteResult<T> {
  return { status: 200, body, ...options };
}

/** Result for a failure with a custom body instead of an error code. */
export function failure<T>(status: number, body: NoInfer<Body<T>>): RouteResult<T> {
  return { status, body };
}

/** Result with a page of a list. `total` counts all matching rows. */
export function collection<T>(
  rows: readonly NoInfer<T | SelectedFields<T>>[],
  total: number,
  paging: Paging,
): RouteResult<T[]> {
  return { status: 200, body: rows, total, paging };
}

/** Result for a created resource. */
export function created<T>(body: NoInfer<Body<T>>, location: string): RouteResult<T> {
  return { status: 201, body, location };
}
