import { timingSafeEqual } from 'node:crypto';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { signForm } from './sign-form.ts';

/** Whether a form came back with the token `signForm` gave it. */
export function isFormSigned(context: OriginContext, form: string, binding: string, given: unknown): boolean {
  if (typeof given !== 'string' || binding === '') return false;
  const expected = Buffer.from(signForm(context, form, binding));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
