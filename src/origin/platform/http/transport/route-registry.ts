import { z } from 'zod';
import { toWirePath, type HttpMethod, type NamespaceMap, type RouteDeclaration } from '#contracts/index.ts';
import type { Answer } from './answer.ts';
import type { DispatchedCall, Handler, ParameterCheck, RouteRules } from './call.ts';

const DIGITS = String.raw`[\d]+`;

const WORD = String.raw`[\w-]+`;

/** A declaration with what answers it. */
export interface ServedRoute {
  declaration: RouteDeclaration;
  methods: readonly HttpMethod[];
  isKept: boolean;
  checks: Readonly<Record<string, ParameterCheck>>;
  isServed(scope: Pick<DispatchedCall, 'context' | 'requestMemo'>): boolean | Promise<boolean>;
  answer(call: DispatchedCall): Answer<unknown> | Promise<Answer<unknown>>;
  permit(call: DispatchedCall): void | Promise<void>;
}

/** All routes on one path, in the order in which they were served. */
export interface ServedPath {
  /** As declared: `core/v2/posts/<id>`. */
  path: string;
  /** As the index prints it, under its wire name: `/core/v2/posts/(?P<id>[\d]+)`. */
  pattern: string;
  matcher: RegExp;
  /** Empty for routes of the root. */
  namespace: string;
  /** Of several that fit, the one that was served first counts. */
  position: number;
  routes: ServedRoute[];
}

/** A path that a request's path fits, with what it captures of it. */
export interface FoundPath {
  served: ServedPath;
  captured: Readonly<Record<string, string>>;
}

/** Every route the publishing interface answers. */
export class RouteRegistry {
  /** Names on the wire. */
  readonly namespaces: NamespaceMap;
  readonly #known: readonly string[];
  readonly #paths = new Map<string, ServedPath>();
  /** By how they begin, as far as that is fixed: a request is compared with a few of them. */
  readonly #beginnings = new Map<string, ServedPath[]>();
  /** What was looked for last: a request looks for the same several times. */
  #last: { requestPath: string; found: readonly FoundPath[] } | undefined;

  /** @param known Neutral names of the namespaces that routes may lie in. */
  constructor(namespaces: NamespaceMap, known: readonly string[]) {
    this.namespaces = namespaces;
    this.#known = known;
  }

  /** Answers a declared route. Without rules, a `public` route is open to all and a `user` route to who signed in. */
  serve<R extends RouteDeclaration>(
    declaration: R,
    handler: Handler<NoInfer<R>>,
    rules: RouteRules<NoInfer<R>> = {},
  ): void {
    const { permit = () => undefined, checks = {}, isServed = () => true, isKept = true } = rules;
    const methods = [declaration.method, ...(declaration.also ?? [])];
    // The dispatcher parses every call by this very declaration before it hands it on.
    const route = { declaration, methods, isKept, checks, isServed, answer: handler, permit } as unknown as ServedRoute;
    const served = this.#paths.get(declaration.path) ?? this.#open(declaration);
    const taken = methods.find((method) => served.routes.some((known) => known.methods.includes(method)));
    if (taken)
      throw new TypeError(
        `${taken} ${declaration.path} is served already: "${declaration.summary}" needs another path.`,
      );
    served.routes.push(route);
  }

  /** Paths in the order in which they were first served. */
  get paths(): readonly ServedPath[] {
    return [...this.#paths.values()];
  }

  /** Namespaces with at least one route, in the order in which they were first served. */
  get servedNamespaces(): readonly string[] {
    return [...new Set(this.paths.flatMap(({ namespace }) => (namespace === '' ? [] : [namespace])))];
  }

  methodsOn(path: string): readonly HttpMethod[] {
    return this.#paths.get(path)?.routes.flatMap(({ methods }) => methods) ?? [];
  }

  /** Paths that a request's path fits, with what it captures; case does not count, captured values keep theirs. */
  find(requestPath: string): readonly FoundPath[] {
    if (this.#last?.requestPath !== requestPath) this.#last = { requestPath, found: this.#search(requestPath) };
    return this.#last.found;
  }

  #search(requestPath: string): FoundPath[] {
    const parts = requestPath.toLowerCase().split('/', MAX_FIXED);
    const beginnings = new Set(['', ...parts.map((_, n) => parts.slice(0, n + 1).join('/'))]);
    const found = [...beginnings]
      .flatMap((beginning) => this.#beginnings.get(beginning) ?? [])
      .flatMap((served) => {
        const groups = served.matcher.exec(requestPath);
        return groups ? [{ served, captured: { ...groups.groups } }] : [];
      });
    return found.length > 1 ? found.toSorted((a, b) => a.served.position - b.served.position) : found;
  }

  #open(declaration: RouteDeclaration): ServedPath {
    this.#last = undefined;
    const wirePath = toWirePath(declaration.path, this.namespaces);
    const served = {
      path: declaration.path,
      ...compilePath(wirePath, declaration.params),
      namespace: namespaceOf(declaration.path, this.#known),
      position: this.#paths.size,
      routes: [],
    };
    this.#paths.set(declaration.path, served);
    const beginning = beginningOf(wirePath);
    this.#beginnings.set(beginning, [...(this.#beginnings.get(beginning) ?? []), served]);
    return served;
  }
}

/** As many parts as a namespace has, and one. */
const MAX_FIXED = 3;

/** The parts of a path before the first that captures something, in small letters. */
function beginningOf(wirePath: string): string {
  const parts = wirePath.toLowerCase().split('/', MAX_FIXED);
  const captures = parts.findIndex((part) => part.includes('<'));
  return (captures === -1 ? parts : parts.slice(0, captures)).join('/');
}

/** The namespace a declared path lies in: the longest that fits, or none. */
function namespaceOf(path: string, known: readonly string[]): string {
  const fitting = known.filter((name) => path === name || path.startsWith(`${name}/`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** A declared path as the index prints it and as requests are matched with it. */
function compilePath(path: string, params?: z.ZodObject): { pattern: string; matcher: RegExp } {
  const parts = path.split(/<(\w+)>/);
  const capture = (name: string) => capturePattern(params?.shape[name]);
  const pattern = parts.map((part, i) => (i % 2 ? `(?P<${part}>${capture(part)})` : part)).join('');
  const source = parts.map((part, i) => (i % 2 ? `(?<${part}>${capture(part)})` : escapeText(part))).join('');
  return { pattern: `/${pattern}`, matcher: new RegExp(`^${source}$`, 'i') };
}

/** Integers are digits; a text is what it says itself that a path captures of it, else its own pattern, or a word. */
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
