import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { deriveKey } from './sealed-texts.ts';

/**
 * Creates the hidden token of a form (a signed double submit, OWASP's CSRF cheat sheet). Only the origin can create
 * it, and it is valid only together with the bound cookie.
 *
 * @param form Operation of the form, such as `sign-out`. A token is valid for one operation.
 * @param binding Value that only the right browser has: its session ID or its pre-session cookie.
 */
export function signForm(context: OriginContext, form: string, binding: string): string {
  return createHmac('sha256', deriveKey(context.key, 'form')).update(`${form}\n${binding}`).digest('base64url');
}

/** Returns true if the submitted token matches the one of `signForm`. */
export function isFormTokenValid(context: OriginContext, form: string, binding: string, token: unknown): boolean {
  if (typeof token !== 'string' || binding === '') return false;
  const expected = Buffer.from(signForm(context, form, binding));
  const actual = Buffer.from(token);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
