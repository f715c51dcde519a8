import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import {
  type CommonErrorCode,
  type HttpMethod,
  type RouteBody,
  type RouteDeclaration,
  type RouteErrors,
  type RouteResponseInput,
  type RouteParams,
  type RouteQuery,
  toWirePath,
  type NamespaceMap,
} from '#contracts/index.ts';
import type { Memo, OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { can, type Caller } from '../callers/caller.ts';
import type { FieldSelection, MergedParameter, UploadedFile } from './rest-request.ts';
import { type ParameterProblem, type CreateRestError, createCommonError } from './rest-error.ts';
import type { UserRow } from '#origin/platform/store/schema.ts';

/**
 * A call of any route, without its parameters.
 *
 * @typeParam Codes error codes that may be thrown; the route must declare them all
 */
export interface AnyCall<Codes extends string = never> {
  /** Method of the route; HEAD is GET. `OPTIONS` only queries the allowed methods. */
  method: HttpMethod | 'OPTIONS';
  /** Raw parameters that the route doesn't declare. */
  others: Readonly<Record<string, unknown>>;
  /** Raw parameters with their sources. */
  sources: ReadonlyMap<string, MergedParameter>;
  /** Files of a multipart form by field name. */
  files: ReadonlyMap<string, UploadedFile>;
  /** The request, for routes with a file as body. Its headers name the file. */
  upload?: Request;
  caller: Caller;
  context: OriginContext;
  addresses: Addresses;
  /** Creates an error to throw. */
  refuse: CreateRestError<Codes>;
  /** Fields selected by the caller. */
  fields: FieldSelection;
  /** Returns the methods that the origin serves on a declared path. */
  methodsOn: (path: string) => readonly HttpMethod[];
  memo: Memo;
  /** Cache for the request, including embedded rows. */
  requestMemo: Memo;
}

/** Argument of a handler and its authorization: parsed parameters and the caller, without HTTP. */
export interface Call<R extends RouteDeclaration> extends AnyCall<RouteErrors<R>> {
  params: RouteParams<R>;
  query: RouteQuery<R>;
  body: RouteBody<R>;
}

/** A call before the types of its route are known. */
export type DispatchedCall = Call<RouteDeclaration>;

export type ResultOf<R extends RouteDeclaration> = RouteResult<RouteResponseInput<R>>;

export type Handler<R extends RouteDeclaration> = (call: Call<R>) => ResultOf<R> | Promise<ResultOf<R>>;

export interface CheckContext {
  caller: Caller;
  context: OriginContext;
  /** Returns the raw value of another parameter. */
  sent(name: string): unknown;
  /** Cache for this call. */
  memo: Memo;
}

/** A problem, or a value that is accepted without its schema. */
export type ParameterCheckResult = Omit<ParameterProblem, 'name'> | { accepted: unknown };

/** Checks a raw parameter before its schema, for rules that depend on the caller or on stored rows. */
export type ParameterCheck = (
  raw: unknown,
  scope: CheckContext,
) => ParameterCheckResult | undefined | Promise<ParameterCheckResult | undefined>;

export interface RouteRules<R extends RouteDeclaration> {
  /** Returns false if the route is disabled; checked before anything is read. @default always enabled */
  isServed?: (scope: Pick<Call<R>, 'context' | 'requestMemo'>) => boolean | Promise<boolean>;
  /**
   * False if a response to GET depends on anything but the store: the time within a quarter of an hour, files, other
   * servers, or tables that the module excludes.
   *
   * @default true
   */
  isKept?: boolean;
  /** Throws if the caller is not allowed to call the route. Also determines the `Allow` header. */
  permit?: (call: Call<R>) => void | Promise<void>;
  checks?: Readonly<Record<string, ParameterCheck>>;
}

export interface Addresses {
  /** Address of the site, without a trailing slash. */
  site: string;
  /** Returns the address for a neutral path of the interface. The empty path is the root, with a trailing slash. */
  rest: (path: string) => string;
}

export function addresses(publicUrl: string, restRoot: string, namespaces: NamespaceMap): Addresses {
  return { site: publicUrl, rest: (path) => `${publicUrl}/${restRoot}/${toWirePath(path, namespaces)}` };
}

/** Returns the row of the caller. @throws RestError for anonymous callers */
export function requireUser({ user }: Caller): UserRow {
  if (!user) throw createCommonError('rest_not_logged_in', 'You are not signed in.');
  return user;
}

/** Creates the authorization of a route that requires a right. */
export function requireRight(right: Right, code: CommonErrorCode, message: string): (call: AnyCall) => void;
export function requireRight<Code extends string>(
  right: Right,
  code: Code,
  message: string,
): (call: AnyCall<Code>) => void;
export function requireRight<Code extends string>(right: Right, code: Code, message: string) {
  return ({ caller, refuse }: AnyCall<Code>) => {
    if (!can(caller, right)) throw refuse(code, message);
  };
}

export interface Paging {
  page: number;
  perPage: number;
}

/** Name shown by the compiler if a result lacks a field. */
declare const allFieldsOrPresentFields: unique symbol;

/** The selected fields of a resource. Only `presentFields` creates it. */
export type SelectedFields<T> = Partial<T> & { readonly [allFieldsOrPresentFields]: T };

/** Accepted bodies: a complete resource, or selections of it or its parts. */
type Body<T> = T | SelectedFields<T> | { readonly [K in keyof T]: T[K] | SelectedFields<T[K]> };

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

export function created<T>(body: NoInfer<Body<T>>, location: string): RouteResult<T> {
  return { status: 201, body, location };
}

/** Fields of a resource: values, or functions for those that take time. `undefined` only for optional fields. */
export type FieldValues<T> = { readonly [K in keyof T]-?: T[K] | (() => T[K]) };

export interface FieldView {
  context: Context;
  call: { fields: Pick<FieldSelection, 'wants'> };
}

/**
 * Returns the fields of a resource that belong to the context and are selected, in JSON order. A resource that is
 * defined at runtime may have fields without a value.
 */
export function presentFields<S extends z.ZodObject>(
  resource: S,
  values: FieldValues<z.input<S>>,
  { context, call }: FieldView,
): SelectedFields<z.input<S>> {
  const body: Record<string, unknown> = {};
  for (const name of contextFields(resource, context)) {
    if (!call.fields.wants(name)) continue;
    const made: unknown = values[name as keyof typeof values];
    const value: unknown = typeof made === 'function' ? made() : made;
    if (value !== undefined) body[name] = value;
  }
  return body as SelectedFields<z.input<S>>;
}

const fieldsOfContexts = new WeakMap<z.ZodObject, Partial<Record<Context, readonly string[]>>>();

/** Returns the names of a resource's fields in a context, in response order. */
function contextFields(resource: z.ZodObject, context: Context): readonly string[] {
  let known = fieldsOfContexts.get(resource);
  if (!known) fieldsOfContexts.set(resource, (known = {}));
  const letter = context === 'embed' ? 'm' : context === 'edit' ? 'e' : 'v';
  return (known[context] ??= Object.keys(resource.shape).filter((name) => {
    const { contexts } = (resource.shape[name] as z.ZodType).meta() ?? {};
    return typeof contexts !== 'string' || contexts.includes(letter);
  }));
}

/** Returns an empty selection, which is encoded as a list. */
export function emptySelection<T>(): SelectedFields<T> {
  return [] as unknown as SelectedFields<T>;
}

/** Returns an empty selection if no field is selected. */
export function emptyAsList<T>(shown: SelectedFields<T>): SelectedFields<T> {
  return Object.keys(shown).length === 0 ? emptySelection() : shown;
}

/** Returns the former state of a deleted row. Its ID can be selected by `previous.id`. */
export function presentPrevious<T>(
  shown: SelectedFields<T>,
  id: number,
  { fields }: Pick<AnyCall, 'fields'>,
): SelectedFields<T> {
  const previous = withoutLinks(shown);
  return emptyAsList(fields.wants('previous.id') ? { ...previous, id } : previous);
}

/** Removes the links, as a deleted row has none. */
export function withoutLinks<T>(shown: SelectedFields<T>): SelectedFields<T> {
  return Object.fromEntries(Object.entries(shown).filter(([name]) => name !== '_links')) as SelectedFields<T>;
}
