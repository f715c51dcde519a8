import { z } from 'zod';
import type { RouteDeclaration } from '#contracts/index.ts';
import type { CheckContext } from './call.ts';
import { invalidParameters, type ParameterProblem, createCommonError } from './rest-error.ts';
import type { MergedParameter } from './rest-request.ts';
import type { ServedRoute } from './route-registry.ts';
import { describeParameter, type JsonSchema } from './describe-parameter.ts';

/** Error codes of formats. Other formats are reported without a code. */
const FORMAT_CODES: Readonly<Record<string, string>> = {
  'date-time': 'rest_invalid_date',
  email: 'rest_invalid_email',
  uuid: 'rest_invalid_uuid',
  ipv4: 'rest_ip_address',
};

/** Describes the problem of a parameter in the terms of the interface: code, message and position. */
function describeProblem(name: string, schema: z.ZodType, issue: z.core.$ZodIssue): ParameterProblem {
  const where = issue.path.reduce<string>((path, key) => `${path}[${String(key)}]`, name);
  const node = nodeAt(describeParameter(schema), issue.path);
  const problem = (code: string, text: string, data?: Record<string, unknown>): ParameterProblem => ({
    name,
    code,
    text,
    ...(data ? { data } : {}),
  });
  const wrongType = () => {
    const types = [node.type ?? []].flat().join(',');
    return problem('rest_invalid_type', `${where} is not of type ${types}.`, { param: where });
  };
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.path.length > 0
        ? problem('rest_property_required', `${String(issue.path.at(-1))} is a required property of ${name}.`)
        : wrongType();
    case 'invalid_value':
      if (typeof issue.input !== 'string' && node.type === 'string') return wrongType();
      return problem('rest_not_in_enum', `${where} is not ${formatChoices(node.enum ?? issue.values)}.`);
    case 'too_small':
    case 'too_big':
      return problem(...describeSize(where, node, issue));
    case 'invalid_format':
      return describeFormat(problem, where, node, issue);
    case 'unrecognized_keys':
      return problem(
        'rest_additional_properties_forbidden',
        `${issue.keys[0] ?? ''} is not a valid property of ${where}.`,
      );
    case 'invalid_union':
      return wrongType();
    case 'custom': {
      const code: unknown = issue.params?.['code'];
      if (typeof code !== 'string') return { name, text: 'Invalid parameter.' };
      if (code === 'rest_duplicate_items') return problem(code, `${where} has duplicate items.`);
      // Other servers report invalid addresses without a code.
      if (code === 'rest_invalid_url') return { name, text: `${where} ${issue.message}.` };
      if (code !== 'rest_too_long') return problem(code, `${where} is not valid.`);
      return problem(code, `${where} must be at most ${String(issue.params?.['most'])} characters long.`);
    }
    default:
      return { name, text: 'Invalid parameter.' };
  }
}

function describeSize(
  where: string,
  node: JsonSchema,
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
): [code: string, text: string] {
  const isSmall = issue.code === 'too_small';
  const limit = String(isSmall ? issue.minimum : issue.maximum);
  if (issue.origin === 'array') {
    const code = isSmall ? 'rest_too_few_items' : 'rest_too_many_items';
    return [code, `${where} must contain at ${isSmall ? 'least' : 'most'} ${limit} items.`];
  }
  if (issue.origin === 'string') {
    const code = isSmall ? 'rest_too_short' : 'rest_too_long';
    return [code, `${where} must be at ${isSmall ? 'least' : 'most'} ${limit} characters long.`];
  }
  const { minimum, maximum } = node;
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? `must be between ${minimum} (inclusive) and ${maximum} (inclusive)`
      : `must be ${isSmall ? 'greater' : 'less'} than or equal to ${limit}`;
  return ['rest_out_of_bounds', `${where} ${bounds}`];
}

function describeFormat(
  problem: (code: string, text: string) => ParameterProblem,
  where: string,
  node: JsonSchema,
  issue: z.core.$ZodIssueInvalidStringFormat,
): ParameterProblem {
  const code = node.format === undefined ? undefined : FORMAT_CODES[node.format];
  if (code === 'rest_invalid_date') return problem(code, 'Invalid date.');
  if (code !== undefined) return problem(code, `${where} is not a valid ${node.format}.`);
  if (issue.format !== 'regex') return { name: where, text: 'Invalid parameter.' };
  return problem('rest_invalid_pattern', `${where} does not match pattern ${node.pattern ?? issue.pattern ?? ''}.`);
}

function formatChoices(choices: readonly unknown[]): string {
  const words = choices.map(String);
  return words.length === 1 ? formatList(words) : `one of ${formatList(words)}`;
}

/** Returns the description of the member that an issue refers to. */
function nodeAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((node, key) => {
    const next = typeof key === 'number' ? node.items : node.properties?.[String(key)];
    return typeof next === 'object' && !Array.isArray(next) ? (next as JsonSchema) : {};
  }, schema);
}

/** Declared parameters by name, with defaults. */
export type ParsedParameters = Record<string, unknown>;

interface Declared {
  name: string;
  schema: z.ZodType;
  /** True if checked in the first phase: marked parameters and all body fields. */
  isFirst: boolean;
}

/**
 * Parses the parameters of a request by the declaration of its route.
 *
 * Reports missing parameters first, then problems of the first phase in order of declaration, then other problems in
 * order of the request.
 */
export async function parseParameters(
  route: ServedRoute,
  merged: ReadonlyMap<string, MergedParameter>,
  context: Omit<CheckContext, 'sent'>,
): Promise<ParsedParameters> {
  const scope = { ...context, sent: (name: string) => merged.get(name)?.sent };
  const declared = declaredParameters(route);
  rejectMissing(declared, merged);
  const byName = new Map(declared.map((parameter) => [parameter.name, parameter]));
  const inOrderOfRequest = [...merged.keys()].flatMap((name) => byName.get(name) ?? []);
  const phases = [declared.filter(({ isFirst }) => isFirst), inOrderOfRequest.filter(({ isFirst }) => !isFirst)];
  const values = defaults(declared, merged);
  for (const phase of phases) {
    const problems: ParameterProblem[] = [];
    for (const { name, schema } of phase) {
      const sent = merged.get(name);
      if (sent === undefined) continue;
      const early = await route.checks[name]?.(sent.sent, scope);
      if (early && 'accepted' in early) {
        values[name] = early.accepted;
        continue;
      }
      const checked = early ? undefined : checkParameter(name, schema, sent.sent);
      if (early) problems.push({ name, ...early });
      else if (checked?.ok) values[name] = checked.value;
      else if (checked) problems.push(checked.problem);
    }
    if (problems.length > 0) throw invalidParameters(problems);
  }
  return values;
}

/**
 * Rejects a request whose body or query contradicts the row in its path.
 *
 * @throws RestError `rest_invalid_param`
 */
export function rejectOtherRow({ declaration }: ServedRoute, merged: ReadonlyMap<string, MergedParameter>): void {
  if (declaration.allowsOtherRow) return;
  const problems = Object.keys(declaration.params?.shape ?? {}).flatMap((name): ParameterProblem[] => {
    const { sent, source, captured } = merged.get(name) ?? {};
    if (captured === undefined || source === 'path' || isSame(sent, captured)) return [];
    const text = `${name} is ${String(sent)} but the address contains ${captured}. Remove ${name} from body and query.`;
    return [{ name, text }];
  });
  if (problems.length > 0) throw invalidParameters(problems);
}

function isSame(sent: unknown, captured: string): boolean {
  return String(sent) === captured || (/^\d+$/.test(captured) && Number(sent) === Number(captured));
}

/** Parses parameters without errors: invalid ones count as missing. Used to find the allowed methods. */
export function parseLeniently(route: ServedRoute, merged: ReadonlyMap<string, MergedParameter>): ParsedParameters {
  const declared = declaredParameters(route);
  const values = defaults(declared, merged);
  for (const { name, schema } of declared) {
    const sent = merged.get(name);
    const checked = sent && checkParameter(name, schema, sent.sent);
    if (checked?.ok) values[name] = checked.value;
    else if (checked) values[name] = parseMissing(schema);
  }
  return values;
}

const parametersOfRoutes = new WeakMap<RouteDeclaration, readonly Declared[]>();

function declaredParameters({ declaration }: ServedRoute): readonly Declared[] {
  const cached = parametersOfRoutes.get(declaration);
  if (cached) return cached;
  const { params, query, body } = declaration;
  const declared = [...readShape(params, false), ...readShape(query, false), ...readShape(body, true)];
  parametersOfRoutes.set(declaration, declared);
  return declared;
}

function readShape(object: z.ZodObject | undefined, areAllFirst: boolean): Declared[] {
  return Object.entries(object?.shape ?? {}).map(([name, type]) => {
    const schema = type as z.ZodType;
    return { name, schema, isFirst: areAllFirst || schema.meta()?.['checkedFirst'] === true };
  });
}

function rejectMissing(declared: readonly Declared[], merged: ReadonlyMap<string, MergedParameter>): void {
  const missing = declared.filter(({ name, schema }) => {
    if (parseMissingOnce(schema).success) return false;
    const entry = merged.get(name);
    if (entry?.sent !== null) return entry === undefined;
    // Null counts as missing, unless the schema accepts it or demands an error.
    return schema.meta()?.['refusesNull'] !== true && !schema.safeParse(null).success;
  });
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const message = `Missing parameter(s): ${names.join(', ')}`;
  throw createCommonError('rest_missing_callback_param', message, { details: { params: names } });
}

function defaults(declared: readonly Declared[], merged: ReadonlyMap<string, MergedParameter>): ParsedParameters {
  const values: ParsedParameters = {};
  for (const { name, schema } of declared) if (!merged.has(name)) values[name] = parseMissing(schema);
  return values;
}

/** Returns the value of a missing parameter. */
function parseMissing(schema: z.ZodType): unknown {
  const { success, data } = parseMissingOnce(schema);
  // Parse again, so that requests don't share a mutable default.
  return success && typeof data === 'object' && data !== null ? schema.parse(undefined) : data;
}

const defaultsOfSchemas = new WeakMap<z.ZodType, { success: boolean; data?: unknown }>();

function parseMissingOnce(schema: z.ZodType): { success: boolean; data?: unknown } {
  const cached = defaultsOfSchemas.get(schema);
  if (cached) return cached;
  const { success, data } = schema.safeParse(undefined);
  const parsed = { success, data };
  defaultsOfSchemas.set(schema, parsed);
  return parsed;
}

/** Parses a raw parameter by its schema, and describes the problem if it is invalid. */
export function checkParameter(name: string, schema: z.ZodType, sent: unknown): CheckedParameter {
  const forms = exclusiveForms(schema);
  if (forms && sent !== undefined) return checkForms(name, forms, sent);
  const parsed = schema.safeParse(sent, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, problem: issue ? describeProblem(name, schema, issue) : { name, text: 'Invalid parameter.' } };
}

/** Returns the schemas of which exactly one must match. */
function exclusiveForms(schema: z.ZodType): z.ZodType[] | undefined {
  const core = unwrap(schema);
  if (!(core instanceof z.ZodUnion) || core.meta()?.['exclusive'] !== true) return undefined;
  return core.options as z.ZodType[];
}

function unwrap(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;
}

/**
 * Parses a value that must match exactly one schema.
 *
 * If none matches, the problem of the schema with a similar form is reported, if there is only one such schema.
 */
export function checkForms(name: string, forms: readonly z.ZodType[], sent: unknown): CheckedParameter {
  const tried = forms.map((form, position) => {
    const formTitle = form.meta()?.title ?? `form ${position + 1}`;
    const parsed = form.safeParse(isBlank(sent) && isObject(form) ? {} : sent, { reportInput: true });
    return { form, position, title: formTitle, parsed, looksAlike: looksLike(form, sent) };
  });
  const fitting = tried.flatMap(({ position, title, parsed }) =>
    parsed.success ? [{ position, title, value: parsed.data }] : [],
  );
  const [fit, other] = fitting;
  if (fit && !other) return { ok: true, value: fit.value };
  if (fit) {
    const titles = fitting.map(({ title }) => title);
    const text = `${name} matches ${formatList(titles)}, but must match only one.`;
    const positions = fitting.map(({ position }) => position);
    return { ok: false, problem: { name, code: 'rest_one_of_multiple_matches', text, data: { positions } } };
  }
  const alike = tried.filter(({ looksAlike }) => looksAlike);
  const [only] = alike;
  const code = 'rest_no_matching_schema';
  const issue = only?.parsed.error?.issues[0];
  if (!only || alike.length > 1 || !issue)
    return { ok: false, problem: { name, code, text: `${name} does not match any of its forms.` } };
  const reason = describeProblem(name, only.form, issue).text;
  const text = `${name} does not match ${only.title}: ${reason}`;
  return { ok: false, problem: { name, code, text, data: { position: only.position } } };
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

type CheckedParameter = { ok: true; value: unknown } | { ok: false; problem: ParameterProblem };

/** Formats a list: `a`, `a and b`, `a, b, and c`. */
export function formatList(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  if (words.length < 2) return last;
  const initial = words.slice(0, -1);
  return initial.length === 1 ? `${initial[0]} and ${last}` : `${initial.join(', ')}, and ${last}`;
}
