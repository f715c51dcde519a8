import { z } from 'zod';
import { toWirePath, type HttpMethod, type NamespaceMap, type RouteDeclaration } from '#contracts/index.ts';
import type { RouteResult, Call, DispatchedCall, Handler, ParameterCheck, RouteRules } from './call.ts';

const DIGITS = String.raw`[\d]+`;

const WORD = String.raw`[\w-]+`;

/** A route declaration with its handler. */
export interface ServedRoute {
  declaration: RouteDeclaration;
  methods: readonly HttpMethod[];
  isKept: boolean;
  checks: Readonly<Record<string, ParameterCheck>>;
  isServed(scope: Pick<DispatchedCall, 'context' | 'requestMemo'>): boolean | Promise<boolean>;
  answer(call: DispatchedCall): RouteResult<unknown> | Promise<RouteResult<unknown>>;
  permit(call: DispatchedCall): void | Promise<void>;
}

/** All routes of one path, in order of registration. */
export interface ServedPath {
  /** Declared path: `core/v2/posts/<id>`. */
  path: string;
  /** Pattern in the index, with wire names: `/core/v2/posts/(?P<id>[\d]+)`. */
  pattern: string;
  matcher: RegExp;
  /** Empty for routes of the root. */
  namespace: string;
  /** Order of registration. The first matching path wins. */
  position: number;
  routes: ServedRoute[];
}

/** A matching path with its captured parameters. */
export interface PathMatch {
  served: ServedPath;
  captured: Readonly<Record<string, string>>;
}

/** Registry of all routes of the publishing interface. */
export class RouteRegistry {
  /** Wire names of namespaces. */
  readonly namespaces: NamespaceMap;
  readonly #knownNamespaces: readonly string[];
  readonly #paths = new Map<string, ServedPath>();
  /** Paths by their fixed prefix, so that a request is compared with a few of them only. */
  readonly #byPrefix = new Map<string, ServedPath[]>();
  /** Latest lookup, as a request repeats it several times. */
  #last: { requestPath: string; found: readonly PathMatch[] } | undefined;

  /** @param known neutral names of all namespaces */
  constructor(namespaces: NamespaceMap, known: readonly string[]) {
    this.namespaces = namespaces;
    this.#knownNamespaces = known;
  }

  /** Registers a handler. Without rules, `public` routes are open to all and `user` routes to signed-in users. */
  serve<R extends RouteDeclaration>(
    declaration: R,
    handler: Handler<NoInfer<R>>,
    rules: RouteRules<NoInfer<R>> = {},
  ): void {
    const { permit = () => undefined, checks = {}, isServed = () => true, isKept = true } = rules;
    const methods = [declaration.method, ...(declaration.also ?? [])];
    // The dispatcher parses every call by this declaration first.
    const route = { declaration, methods, isKept, checks, isServed, answer: handler, permit } as unknown as ServedRoute;
    const served = this.#paths.get(declaration.path) ?? this.#addPath(declaration);
    const taken = methods.find((method) => served.routes.some((known) => known.methods.includes(method)));
    if (taken)
      throw new TypeError(
        `${taken} ${declaration.path} is already registered: "${declaration.summary}" needs another path.`,
      );
    served.routes.push(route);
  }

  /** Returns `serve` with the same rules for several routes. */
  with<C>(rules: { permit?: (call: C) => void | Promise<void>; isKept?: boolean }) {
    return <R extends RouteDeclaration>(
      declaration: R & (Call<R> extends C ? unknown : never),
      handler: Handler<NoInfer<R>>,
    ): void => this.serve(declaration, handler as never, rules as RouteRules<R>);
  }

  /** Paths in order of registration. */
  get paths(): readonly ServedPath[] {
    return [...this.#paths.values()];
  }

  /** Namespaces with at least one route, in order of registration. */
  get servedNamespaces(): readonly string[] {
    return [...new Set(this.paths.flatMap(({ namespace }) => (namespace === '' ? [] : [namespace])))];
  }

  methodsOn(path: string): readonly HttpMethod[] {
    return this.#paths.get(path)?.routes.flatMap(({ methods }) => methods) ?? [];
  }

  /** Finds the paths that match a request path, case-insensitive. */
  find(requestPath: string): readonly PathMatch[] {
    if (this.#last?.requestPath !== requestPath) this.#last = { requestPath, found: this.#search(requestPath) };
    return this.#last.found;
  }

  #search(requestPath: string): PathMatch[] {
    const parts = requestPath.toLowerCase().split('/', MAX_PREFIX_SEGMENTS);
    const beginnings = new Set(['', ...parts.map((_, n) => parts.slice(0, n + 1).join('/'))]);
    const found = [...beginnings]
      .flatMap((beginning) => this.#byPrefix.get(beginning) ?? [])
      .flatMap((served) => {
        const groups = served.matcher.exec(requestPath);
        return groups ? [{ served, captured: { ...groups.groups } }] : [];
      });
    return found.length > 1 ? found.toSorted((a, b) => a.served.position - b.served.position) : found;
  }

  #addPath(declaration: RouteDeclaration): ServedPath {
    this.#last = undefined;
    const wirePath = toWirePath(declaration.path, this.namespaces);
    const served = {
      path: declaration.path,
      ...compilePath(wirePath, declaration.params),
      namespace: namespaceOf(declaration.path, this.#knownNamespaces),
      position: this.#paths.size,
      routes: [],
    };
    this.#paths.set(declaration.path, served);
    const beginning = fixedPrefix(wirePath);
    this.#byPrefix.set(beginning, [...(this.#byPrefix.get(beginning) ?? []), served]);
    return served;
  }
}

/** Number of segments of a namespace plus one. */
const MAX_PREFIX_SEGMENTS = 3;

/** Returns the segments before the first parameter, in lower case. */
function fixedPrefix(wirePath: string): string {
  const parts = wirePath.toLowerCase().split('/', MAX_PREFIX_SEGMENTS);
  const captures = parts.findIndex((part) => part.includes('<'));
  return (captures === -1 ? parts : parts.slice(0, captures)).join('/');
}

/** Returns the longest namespace that contains a declared path, or an empty text. */
function namespaceOf(path: string, namespaces: readonly string[]): string {
  const fitting = namespaces.filter((name) => path === name || path.startsWith(`${name}/`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** Compiles a declared path into its pattern for the index and its matcher. */
function compilePath(path: string, params?: z.ZodObject): { pattern: string; matcher: RegExp } {
  const parts = path.split(/<(\w+)>/);
  const capture = (name: string) => capturePattern(params?.shape[name]);
  const pattern = parts.map((part, i) => (i % 2 ? `(?P<${part}>${capture(part)})` : part)).join('');
  const source = parts.map((part, i) => (i % 2 ? `(?<${part}>${capture(part)})` : escapeText(part))).join('');
  return { pattern: `/${pattern}`, matcher: new RegExp(`^${source}$`, 'i') };
}

/**
 * Returns the pattern of a path parameter: digits for integers, else `capture` of its schema, else the schema's
 * pattern, else a word.
 */
function capturePattern(schema: unknown): string {
  if (!(schema instanceof z.ZodType)) return WORD;
  const { type, pattern } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  if (type === 'integer') return DIGITS;
  const { capture } = schema.meta() ?? {};
  if (typeof capture === 'string') return capture;
  return pattern?.replace(/^\^/, '').replace(/\$$/, '') ?? WORD;
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
