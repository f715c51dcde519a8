import {
  type HttpMethod,
  type RouteBody,
  type RouteDeclaration,
  type RouteErrors,
  type RouteAnswer,
  type RouteParams,
  type RouteQuery,
  toWirePath,
  type NamespaceMap,
} from '#contracts/index.ts';
import type { Memo } from '#origin/platform/context/memo.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '../callers/caller.ts';
import type { Answer } from './answer.ts';
import type { FieldSelection } from './field-selection.ts';
import type { ParameterProblem } from './parameter-problem.ts';
import type { Refuse } from './rest-error.ts';
import type { ParameterSource, SentFile } from './rest-request.ts';

/**
 * A call of whatever route: everything but its parameters.
 *
 * @typeParam Codes what may be refused with it; a route that does not declare them all can't hand its call on
 */
export interface AnyCall<Codes extends string = never> {
  /** What the route is called by; HEAD is GET. `OPTIONS` asks only what would be allowed. */
  method: HttpMethod | 'OPTIONS';
  /** Whether another method was asked for, and this one is looked at only for its place in `Allow`. */
  isOffered: boolean;
  /** Parameters that the route does not declare, as they were sent. */
  others: Readonly<Record<string, unknown>>;
  /** Where each parameter that was sent came from. */
  sources: ReadonlyMap<string, ParameterSource>;
  /** Files of a multipart form, by the name of their field. */
  files: ReadonlyMap<string, SentFile>;
  /** The request itself, for routes that take a file as their body; its headers name the file. */
  upload?: Request;
  caller: Caller;
  context: OriginContext;
  addresses: Addresses;
  /** Makes the error to throw. */
  refuse: Refuse<Codes>;
  /** What the caller wants to see of each row. */
  fields: FieldSelection;
  /** Methods that the origin serves on a declared path. */
  methodsOn(path: string): readonly HttpMethod[];
  /** Kept for this call. */
  memo: Memo;
  /** Kept for the whole request, embedded rows included. */
  requestMemo: Memo;
}

/** What a handler and its permission are given: parsed parameters, the caller, and nothing of HTTP. */
export interface Call<R extends RouteDeclaration> extends AnyCall<RouteErrors<R>> {
  params: RouteParams<R>;
  query: RouteQuery<R>;
  body: RouteBody<R>;
}

/** A call before its route's own types are known. */
export type DispatchedCall = Call<RouteDeclaration>;

/** What a route declares to answer. */
export type AnswerOf<R extends RouteDeclaration> = Answer<RouteAnswer<R>>;

export type Handler<R extends RouteDeclaration> = (call: Call<R>) => AnswerOf<R> | Promise<AnswerOf<R>>;

/** What the check of a parameter may ask for. */
export interface CheckScope {
  caller: Caller;
  context: OriginContext;
  /** Other parameters, as they were sent. */
  sent(name: string): unknown;
  /** Kept for this call. */
  memo: Memo;
}

/** A problem with a parameter, or the value that it has whatever its schema says. */
export type CheckedBefore = Omit<ParameterProblem, 'name'> | { accepted: unknown };

/** Looks at a parameter as it was sent before its schema does; for rules that depend on the caller or on stored rows. */
export type ParameterCheck = (
  sent: unknown,
  scope: CheckScope,
) => CheckedBefore | undefined | Promise<CheckedBefore | undefined>;

export interface RouteRules<R extends RouteDeclaration> {
  /** Whether there is the route at all, where that can be switched off: asked before anything is read. @default always */
  isServed?: (scope: Pick<Call<R>, 'context' | 'requestMemo'>) => boolean | Promise<boolean>;
  /**
   * Whether an answer to GET may be sent again until the store changes. `false` where it depends on something else: the
   * clock, by less than a quarter of an hour; files; other servers; tables that the module names as unshown.
   *
   * @default true
   */
  isKept?: boolean;
  /** Throws a refusal when the caller may not. It also decides what `Allow` lists. */
  permit?: (call: Call<R>) => void | Promise<void>;
  checks?: Readonly<Record<string, ParameterCheck>>;
}

/** Where the site and its interface are reached. */
export interface Addresses {
  /** The site, without a slash at the end. */
  site: string;
  /** An address of the interface by its neutral path; the empty path is the root, with a slash at the end. */
  rest(path: string): string;
}

export function addresses(publicUrl: string, restRoot: string, namespaces: NamespaceMap): Addresses {
  return { site: publicUrl, rest: (path) => `${publicUrl}/${restRoot}/${toWirePath(path, namespaces)}` };
}
