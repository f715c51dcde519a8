/** Which part of a list an answer is. */
export interface Paging {
  page: number;
  perPage: number;
}

/** The compiler says this name of an answer that lacks a field. */
declare const allFieldsOrPresentFields: unique symbol;

/** A row as the wire shows it: of all fields those of its context that were asked for. Only `presentFields` makes it. */
export type Shown<T> = Partial<T> & { readonly [allFieldsOrPresentFields]: T };

/** What may be sent where a whole is declared: the whole, or what is shown of it or of its parts. */
export type Body<T> = T | Shown<T> | { readonly [K in keyof T]: T[K] | Shown<T[K]> };

/** What a handler answers; turning it into HTTP is the transport's matter. */
export interface Answer<T> {
  status: number;
  body: Body<T>;
  /** Lists: rows that match, on all pages, and which page this is. */
  total?: number;
  paging?: Paging;
  /** Items of content: the address of the page a person would open. */
  alternate?: string;
  /** Whether `_links` stay, whatever fields were asked for. */
  keepsLinks?: true;
  /** New rows: their own address. */
  location?: string;
}

// Of `NoInfer` nothing is inferred: the type is that of the route's response, and a literal with other fields is refused.

/** One thing. */
export function item<T>(body: NoInfer<Body<T>>, about: { alternate?: string } = {}): Answer<T> {
  return { status: 200, body, ...about };
}

/** A failure that the interface tells in a body of its own instead of an error with a code. */
export function failure<T>(status: number, body: NoInfer<Body<T>>): Answer<T> {
  return { status, body };
}

/** One page of a list. `total` counts every row that matches, shown or not. */
export function collection<T>(rows: readonly NoInfer<T | Shown<T>>[], total: number, paging: Paging): Answer<T[]> {
  return { status: 200, body: rows, total, paging };
}

/** Something new, at `location`. */
export function created<T>(body: NoInfer<Body<T>>, location: string): Answer<T> {
  return { status: 201, body, location };
}
