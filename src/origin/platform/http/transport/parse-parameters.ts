import { z } from 'zod';
import type { RouteDeclaration } from '#contracts/index.ts';
import type { CheckScope } from './call.ts';
import { listWords } from './list-words.ts';
import { invalidParameters, type ParameterProblem } from './parameter-problem.ts';
import { refuseCommon } from './rest-error.ts';
import type { MergedParameter } from './rest-request.ts';
import type { ServedRoute } from './route-registry.ts';
import { wordProblem } from './word-problem.ts';

/** Every declared parameter by name, defaults applied. */
export type ParsedParameters = Record<string, unknown>;

interface Declared {
  name: string;
  schema: z.ZodType;
  /** Checked in the first phase: what says so itself, and every field of a body. */
  isFirst: boolean;
}

/**
 * Parses a request's parameters by the route's declaration.
 *
 * What is missing is reported first, then all that is wrong among the parameters that are checked first, in the
 * order of the declaration, then all that is wrong among the others, in the order of the request.
 */
export async function parseParameters(
  route: ServedRoute,
  merged: ReadonlyMap<string, MergedParameter>,
  about: Omit<CheckScope, 'sent'>,
): Promise<ParsedParameters> {
  const scope = { ...about, sent: (name: string) => merged.get(name)?.sent };
  const declared = declaredParameters(route);
  refuseMissing(declared, merged);
  const byName = new Map(declared.map((parameter) => [parameter.name, parameter]));
  const inOrderOfRequest = [...merged.keys()].flatMap((name) => byName.get(name) ?? []);
  const phases = [declared.filter(({ isFirst }) => isFirst), inOrderOfRequest.filter(({ isFirst }) => !isFirst)];
  const values = defaults(declared, merged);
  for (const phase of phases) {
    const problems: ParameterProblem[] = [];
    for (const { name, schema } of phase) {
      const sent = merged.get(name);
      if (sent === undefined) continue;
      const before = await route.checks[name]?.(sent.sent, scope);
      if (before && 'accepted' in before) {
        values[name] = before.accepted;
        continue;
      }
      const checked = before ? undefined : checkParameter(name, schema, sent.sent);
      if (before) problems.push({ name, ...before });
      else if (checked?.ok) values[name] = checked.value;
      else if (checked) problems.push(checked.problem);
    }
    if (problems.length > 0) throw invalidParameters(problems);
  }
  return values;
}

/**
 * Refuses a request whose body or query names another row than its path: it can't be told which of both is meant.
 *
 * @throws RestError `rest_invalid_param`
 */
export function refuseOtherRow({ declaration }: ServedRoute, merged: ReadonlyMap<string, MergedParameter>): void {
  if (declaration.allowsOtherRow) return;
  const problems = Object.keys(declaration.params?.shape ?? {}).flatMap((name): ParameterProblem[] => {
    const { sent, source, captured } = merged.get(name) ?? {};
    if (captured === undefined || source === 'path' || isSame(sent, captured)) return [];
    const text = `${name} is ${String(sent)}, and the address says ${captured}: leave ${name} out of body and query.`;
    return [{ name, text }];
  });
  if (problems.length > 0) throw invalidParameters(problems);
}

function isSame(sent: unknown, captured: string): boolean {
  return String(sent) === captured || (/^\d+$/.test(captured) && Number(sent) === Number(captured));
}

/** The same without complaints: what can not be parsed counts as not sent. Answers what a caller could do. */
export function parseLeniently(route: ServedRoute, merged: ReadonlyMap<string, MergedParameter>): ParsedParameters {
  const declared = declaredParameters(route);
  const values = defaults(declared, merged);
  for (const { name, schema } of declared) {
    const sent = merged.get(name);
    const checked = sent && checkParameter(name, schema, sent.sent);
    if (checked?.ok) values[name] = checked.value;
    else if (checked) values[name] = parseNothing(schema);
  }
  return values;
}

const parametersOfRoutes = new WeakMap<RouteDeclaration, readonly Declared[]>();

function declaredParameters({ declaration }: ServedRoute): readonly Declared[] {
  const known = parametersOfRoutes.get(declaration);
  if (known) return known;
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

function refuseMissing(declared: readonly Declared[], merged: ReadonlyMap<string, MergedParameter>): void {
  const missing = declared.filter(({ name, schema }) => {
    if (parsedNothing(schema).success) return false;
    const given = merged.get(name);
    if (given?.sent !== null) return given === undefined;
    // Null is nothing, unless it is a value or said to be a wrong one.
    return schema.meta()?.['refusesNull'] !== true && !schema.safeParse(null).success;
  });
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const message = `Missing parameter(s): ${names.join(', ')}`;
  throw refuseCommon('rest_missing_callback_param', message, { details: { params: names } });
}

function defaults(declared: readonly Declared[], merged: ReadonlyMap<string, MergedParameter>): ParsedParameters {
  const values: ParsedParameters = {};
  for (const { name, schema } of declared) if (!merged.has(name)) values[name] = parseNothing(schema);
  return values;
}

/** What a parameter is that was not sent. */
function parseNothing(schema: z.ZodType): unknown {
  const { success, data } = parsedNothing(schema);
  // Nobody shares a list or a map with the next request.
  return success && typeof data === 'object' && data !== null ? schema.parse(undefined) : data;
}

const defaultsOfSchemas = new WeakMap<z.ZodType, { success: boolean; data?: unknown }>();

function parsedNothing(schema: z.ZodType): { success: boolean; data?: unknown } {
  const known = defaultsOfSchemas.get(schema);
  if (known) return known;
  const { success, data } = schema.safeParse(undefined);
  const parsed = { success, data };
  defaultsOfSchemas.set(schema, parsed);
  return parsed;
}

/** Parses one parameter as it was sent by its schema; says what is wrong the way the interface says it. */
export function checkParameter(name: string, schema: z.ZodType, sent: unknown): CheckedParameter {
  const forms = exclusiveForms(schema);
  if (forms && sent !== undefined) return checkForms(name, forms, sent);
  const parsed = schema.safeParse(sent, { reportInput: true });
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  return { ok: false, problem: issue ? wordProblem(name, schema, issue) : { name, text: 'Invalid parameter.' } };
}

/** The forms of a parameter that must fit exactly one of them. */
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
 * A value that has to fit exactly one form. When it fits none, the form that it looks like tells why; when it
 * looks like several, or like none, nothing more can be said.
 */
export function checkForms(name: string, forms: readonly z.ZodType[], sent: unknown): CheckedParameter {
  const tried = forms.map((form, position) => {
    const title = form.meta()?.title ?? `form ${position + 1}`;
    const parsed = form.safeParse(isBlank(sent) && isObject(form) ? {} : sent, { reportInput: true });
    return { form, position, title, parsed, looksAlike: looksLike(form, sent) };
  });
  const fitting = tried.flatMap(({ position, title, parsed }) =>
    parsed.success ? [{ position, title, value: parsed.data }] : [],
  );
  const [fit, other] = fitting;
  if (fit && !other) return { ok: true, value: fit.value };
  if (fit) {
    const titles = fitting.map(({ title }) => title);
    const text = `${name} fits ${listWords(titles)}, and has to fit only one.`;
    const positions = fitting.map(({ position }) => position);
    return { ok: false, problem: { name, code: 'rest_one_of_multiple_matches', text, data: { positions } } };
  }
  const alike = tried.filter(({ looksAlike }) => looksAlike);
  const [only] = alike;
  const code = 'rest_no_matching_schema';
  const issue = only?.parsed.error?.issues[0];
  if (!only || alike.length > 1 || !issue)
    return { ok: false, problem: { name, code, text: `${name} fits none of its forms.` } };
  const reason = wordProblem(name, only.form, issue).text;
  const text = `${name} does not fit ${only.title}: ${reason}`;
  return { ok: false, problem: { name, code, text, data: { position: only.position } } };
}

function isBlank(sent: unknown): boolean {
  return sent === '' || (Array.isArray(sent) && sent.length === 0);
}

function isObject(form: z.ZodType): boolean {
  return form.def.type === 'object';
}

/** On the wire a list may stand for a map, as an empty text may; a text or a number may stand for a list. */
function looksLike(form: z.ZodType, sent: unknown): boolean {
  const isMap = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return isObject(form) ? isMap || Array.isArray(sent) || sent === '' : !isMap;
}

type CheckedParameter = { ok: true; value: unknown } | { ok: false; problem: ParameterProblem };
