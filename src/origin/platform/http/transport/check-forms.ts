import type { ParameterProblem } from './parameter-problem.ts';
import type { z } from 'zod';
import { listWords } from './list-words.ts';
import { wordProblem } from './word-problem.ts';

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

export type CheckedParameter = { ok: true; value: unknown } | { ok: false; problem: ParameterProblem };
