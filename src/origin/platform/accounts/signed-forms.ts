import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { deriveKey } from './sealed-texts.ts';

/**
 * The hidden token of a form (a signed double submit, OWASP's CSRF cheat sheet): only the origin can make it, and
 * it is worth something only together with the cookie it is bound to.
 *
 * @param form What the form does, such as `sign-out`: a token of one form doesn't send another.
 * @param binding Something that only the right browser shows: the id of its session, or its pre-session cookie.
 */
export function signForm(context: OriginContext, form: string, binding: string): string {
  return createHmac('sha256', deriveKey(context.key, 'form')).update(`${form}\n${binding}`).digest('base64url');
}

/** Whether a form came back with the token `signForm` gave it. */
export function isFormSigned(context: OriginContext, form: string, binding: string, given: unknown): boolean {
  if (typeof given !== 'string' || binding === '') return false;
  const expected = Buffer.from(signForm(context, form, binding));
  const actual = Buffer.from(given);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
