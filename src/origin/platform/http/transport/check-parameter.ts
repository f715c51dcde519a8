import type { CheckedParameter } from './check-forms.ts';
import { z } from 'zod';
import { checkForms } from './check-forms.ts';
import { wordProblem } from './word-problem.ts';

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
