import { z } from 'zod';
import { toWirePath, type HttpMethod, type NamespaceMap, type RouteDeclaration } from '#contracts/index.ts';
import type { RouteResult, Call, CheckContext, DispatchedCall, Handler, ParameterCheck, RouteRules } from './call.ts';
import { describeProblem, formatList } from './describe-parameter.ts';
import { createCommonError, invalidParameters, type ParameterProblem } from './rest-error.ts';
import type { MergedParameter } from './rest-request.ts';

const WORD = String.raw`[\w-]+`;

/** A route declaration with its handler. */
export interface ServedRoute {
  declaration: RouteDeclaration;
  methods: readonly HttpMethod[];
  parameters: readonly RouteParameter[];
  defaults: ParsedParameters;
  isKept: boolean;
  checks: Readonly<Record<string, ParameterCheck>>;
  isServed?(scope: Pick<DispatchedCall, 'context' | 'requestMemo'>): boolean | Promise<boolean>;
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
  /** Part before the first parameter, in lower case. */
  prefix: string;
  /** Empty for routes of the root. */
  namespace: string;
  routes: ServedRoute[];
  /** Response to `OPTIONS`, created by the first request. */
  description?: unknown;
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
    const { permit = () => undefined, checks = {}, isServed, isKept = true } = rules;
    const methods = [declaration.method, ...(declaration.also ?? [])];
    // The dispatcher parses every call by this declaration first.
    const route = {
      declaration,
      methods,
      ...planParameters(declaration),
      isKept,
      checks,
      isServed,
      answer: handler,
      permit,
    } as unknown as ServedRoute;
    const served = this.#paths.get(declaration.path) ?? this.#addPath(declaration);
    const taken = methods.find((method) => served.routes.some((known) => known.methods.includes(method)));
    if (taken)
      throw new TypeError(
        `${taken} ${declaration.path} is already registered: "${declaration.summary}" needs another path.`,
      );
    served.routes.push(route);
  }

  /** Returns `serve` with the same rules for several routes. */
  with<C>(rules: Omit<RouteRules<RouteDeclaration>, 'permit'> & { permit?: (call: C) => void | Promise<void> }) {
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

  /** Returns the methods that are served on a declared path. */
  readonly methodsOn = (path: string): readonly HttpMethod[] =>
    this.#paths.get(path)?.routes.flatMap(({ methods }) => methods) ?? [];

  /** Finds the paths that match a request path, case-insensitive. The first one registered wins. */
  find(requestPath: string): readonly PathMatch[] {
    if (this.#last?.requestPath === requestPath) return this.#last.found;
    const found: PathMatch[] = [];
    const lowerCase = requestPath.toLowerCase();
    for (const served of this.#paths.values()) {
      // Takes a fifth of the time of matching every pattern.
      if (!lowerCase.startsWith(served.prefix)) continue;
      const groups = served.matcher.exec(requestPath);
      if (groups) found.push({ served, captured: { ...groups.groups } });
    }
    this.#last = { requestPath, found };
    return found;
  }

  #addPath(declaration: RouteDeclaration): ServedPath {
    this.#last = undefined;
    const wirePath = toWirePath(declaration.path, this.namespaces);
    const served = {
      path: declaration.path,
      ...compilePath(wirePath, declaration.params),
      prefix: wirePath.toLowerCase().replace(/<.*/, ''),
      namespace: namespaceOf(declaration.path, this.#knownNamespaces),
      routes: [],
    };
    this.#paths.set(declaration.path, served);
    return served;
  }
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
  const source = parts.map((part, i) => (i % 2 ? `(?<${part}>${capture(part)})` : RegExp.escape(part))).join('');
  return { pattern: `/${pattern}`, matcher: new RegExp(`^${source}$`, 'i') };
}

/**
 * Returns the pattern of a path parameter: digits for integers, else `capture` of its schema, else the schema's
 * pattern, else a word.
 */
function capturePattern(schema: unknown): string {
  if (!(schema instanceof z.ZodType)) return WORD;
  const { type, pattern } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  if (type === 'integer') return String.raw`[\d]+`;
  const { capture } = schema.meta() ?? {};
  if (typeof capture === 'string') return capture;
  return pattern?.replace(/^\^/, '').replace(/\$$/, '') ?? WORD;
}

/** A declared parameter, prepared when its route is registered. */
interface RouteParameter {
  name: string;
  source: 'params' | 'query' | 'body';
  schema: z.ZodType;
  /** True if checked in the first phase: marked parameters and all body fields. */
  isFirst: boolean;
  /** True if a request must send it. */
  isRequired: boolean;
}

/** Parsed parameters by their place in the declaration, with defaults. */
export type ParsedParameters = Record<RouteParameter['source'], Record<string, unknown>>;

/** Lists the parameters of a route, and parses their defaults once. Defaults are frozen, as requests share them. */
function planParameters(declaration: RouteDeclaration): Pick<ServedRoute, 'parameters' | 'defaults'> {
  const defaults: ParsedParameters = { params: {}, query: {}, body: {} };
  const parameters = (['params', 'query', 'body'] as const).flatMap((source) =>
    Object.entries(declaration[source]?.shape ?? {}).map(([name, type]): RouteParameter => {
      const schema = type as z.ZodType;
      const missing = schema.safeParse(undefined);
      defaults[source][name] = freeze(missing.data);
      const isFirst = source === 'body' || schema.meta()?.['checkedFirst'] === true;
      return { name, source, schema, isFirst, isRequired: !missing.success };
    }),
  );
  return { parameters, defaults };
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) freeze(inner);
  return value;
}

/**
 * Parses the parameters of a request by the declaration of its route.
 *
 * Reports missing parameters first, then problems of the first phase in order of declaration, then other problems in
 * order of the request.
 */
export async function parseParameters(
  { parameters, defaults, checks }: ServedRoute,
  merged: ReadonlyMap<string, MergedParameter>,
  context: Omit<CheckContext, 'sent'>,
): Promise<ParsedParameters> {
  const missing = parameters.filter(({ name, schema, isRequired }) => {
    if (!isRequired) return false;
    const entry = merged.get(name);
    if (entry?.sent !== null) return entry === undefined;
    // Null counts as missing, unless the schema accepts it or demands an error.
    return schema.meta()?.['refusesNull'] !== true && !schema.safeParse(null).success;
  });
  if (missing.length > 0) {
    const params = missing.map(({ name }) => name);
    const message = `Missing parameter(s): ${params.join(', ')}`;
    throw createCommonError('rest_missing_callback_param', message, { details: { params } });
  }
  const values = copyOf(defaults);
  const sent = (name: string) => merged.get(name)?.sent;
  const names = [...merged.keys()];
  const later = names.flatMap((name) => parameters.filter((one) => one.name === name && !one.isFirst));
  for (const phase of [parameters.filter(({ isFirst }) => isFirst), later]) {
    const problems: ParameterProblem[] = [];
    for (const { name, source, schema } of phase) {
      if (!merged.has(name)) continue;
      const early = await checks[name]?.(sent(name), { ...context, sent });
      if (early && !('accepted' in early)) problems.push({ name, ...early });
      else {
        const checked = early ? { value: early.accepted } : checkParameter(name, schema, sent(name));
        if ('problem' in checked) problems.push(checked.problem);
        else values[source][name] = checked.value;
      }
    }
    if (problems.length > 0) throw invalidParameters(problems);
  }
  return values;
}

/** Parses parameters without errors: invalid ones count as missing. Used to find the allowed methods. */
export function parseLeniently(
  { parameters, defaults }: ServedRoute,
  merged: ReadonlyMap<string, MergedParameter>,
): ParsedParameters {
  const values = copyOf(defaults);
  for (const { name, source, schema } of parameters) {
    const entry = merged.get(name);
    const checked = entry && checkParameter(name, schema, entry.sent);
    if (checked && 'value' in checked) values[source][name] = checked.value;
  }
  return values;
}

function copyOf({ params, query, body }: ParsedParameters): ParsedParameters {
  return { params: { ...params }, query: { ...query }, body: { ...body } };
}

type CheckedParameter = { value: unknown } | { problem: ParameterProblem };

/** Parses a raw parameter by its schema, and describes the problem if it is invalid. */
export function checkParameter(name: string, schema: z.ZodType, sent: unknown): CheckedParameter {
  let core = schema;
  while (core instanceof z.ZodOptional || core instanceof z.ZodDefault || core instanceof z.ZodNullable)
    core = core.unwrap() as z.ZodType;
  if (core instanceof z.ZodUnion && core.meta()?.['exclusive'] === true && sent !== undefined)
    return checkForms(name, core.options as z.ZodType[], sent);
  const parsed = schema.safeParse(sent, { reportInput: true });
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  return { problem: issue ? describeProblem(name, schema, issue) : { name, text: 'Invalid parameter.' } };
}

/**
 * Parses a value that must match exactly one schema.
 *
 * If none matches, the problem of the schema with a similar form is reported, if there is only one such schema.
 */
function checkForms(name: string, forms: readonly z.ZodType[], sent: unknown): CheckedParameter {
  const tried = forms.map((form, position) => {
    const formTitle = form.meta()?.title ?? `form ${position + 1}`;
    const parsed = form.safeParse(isBlank(sent) && isObject(form) ? {} : sent, { reportInput: true });
    return { form, position, title: formTitle, parsed, looksAlike: looksLike(form, sent) };
  });
  const fitting = tried.flatMap(({ position, title, parsed }) =>
    parsed.success ? [{ position, title, value: parsed.data }] : [],
  );
  const [fit, other] = fitting;
  if (fit && !other) return { value: fit.value };
  if (fit) {
    const titles = fitting.map(({ title }) => title);
    const text = `${name} matches ${formatList(titles)}, but must match only one.`;
    const positions = fitting.map(({ position }) => position);
    return { problem: { name, code: 'rest_one_of_multiple_matches', text, data: { positions } } };
  }
  const alike = tried.filter(({ looksAlike }) => looksAlike);
  const [only] = alike;
  const code = 'rest_no_matching_schema';
  const issue = only?.parsed.error?.issues[0];
  if (!only || alike.length > 1 || !issue)
    return { problem: { name, code, text: `${name} does not match any of its forms.` } };
  const reason = describeProblem(name, only.form, issue).text;
  const text = `${name} does not match ${only.title}: ${reason}`;
  return { problem: { name, code, text, data: { position: only.position } } };
}

function isBlank(sent: unknown): boolean {
  return sent === '' || (Array.isArray(sent) && sent.length === 0);
}

function isObject(form: z.ZodType): boolean {
  return form.def.type === 'object';
}

/** A list or an empty text may represent a map in requests; a text or a number may represent a list. */
function looksLike(form: z.ZodType, sent: unknown): boolean {
  const isMap = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return isObject(form) ? isMap || Array.isArray(sent) || sent === '' : !isMap;
}
