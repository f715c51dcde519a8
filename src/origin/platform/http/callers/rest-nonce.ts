import { isFormSigned, signForm } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

const FORM = 'rest';

/** What a page of a browser session sends along (`X-WP-Nonce`) to act as its user. */
export function restNonce(context: OriginContext, sessionId: string): string {
  return signForm(context, FORM, sessionId);
}

export function isRestNonce(context: OriginContext, sessionId: string, nonce: string): boolean {
  return isFormSigned(context, FORM, sessionId, nonce);
}
