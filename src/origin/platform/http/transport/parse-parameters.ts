import type { z } from 'zod';
import type { CheckScope } from './call.ts';
import { checkParameter } from './check-parameter.ts';
import { invalidParameters, type ParameterProblem } from './parameter-problem.ts';
import { refuseCommon } from './rest-error.ts';
import type { MergedParameter } from './rest-request.ts';
import type { ServedRoute } from './route-registry.ts';

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

function declaredParameters({ declaration: { params, query, body } }: ServedRoute): Declared[] {
  return [...readShape(params, false), ...readShape(query, false), ...readShape(body, true)];
}

function readShape(object: z.ZodObject | undefined, areAllFirst: boolean): Declared[] {
  return Object.entries(object?.shape ?? {}).map(([name, type]) => {
    const schema = type as z.ZodType;
    return { name, schema, isFirst: areAllFirst || schema.meta()?.['checkedFirst'] === true };
  });
}

function refuseMissing(declared: readonly Declared[], merged: ReadonlyMap<string, MergedParameter>): void {
  const missing = declared.filter(({ name, schema }) => !merged.has(name) && !schema.safeParse(undefined).success);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const message = `Missing parameter(s): ${names.join(', ')}`;
  throw refuseCommon('rest_missing_callback_param', message, { details: { params: names } });
}

function defaults(declared: readonly Declared[], merged: ReadonlyMap<string, MergedParameter>): ParsedParameters {
  const unsent = declared.filter(({ name }) => !merged.has(name));
  return Object.fromEntries(unsent.map(({ name, schema }) => [name, parseNothing(schema)]));
}

function parseNothing(schema: z.ZodType): unknown {
  const parsed = schema.safeParse(undefined);
  return parsed.success ? parsed.data : undefined;
}
