import { throttleAccount, findUserByLogin } from '#origin/platform/accounts/users.ts';
import { failureThrottle } from '#origin/platform/accounts/sign-in.ts';
import { findApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import { findSession } from '#origin/platform/accounts/sessions.ts';
import { isFormTokenValid, signForm } from '#origin/platform/accounts/account-page.ts';
import { getClientNetwork } from '#origin/platform/context/client-address.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { createCommonError, type RestError } from '../transport/rest-error.ts';
import { ANONYMOUS, createCaller, type Caller } from './caller.ts';

const FORM = 'rest';

export interface Credentials {
  /** The `Authorization` header. */
  authorization: string | undefined;
  /** The `Cookie` header. */
  cookie: string | undefined;
  /** Nonce that accompanies the cookie, from a header or a parameter. */
  nonce: string | undefined;
  /** Address of the client, if known. */
  clientAddress: string;
}

export type Authenticate = (credentials: Credentials) => Promise<Caller>;

const MAX_FAILURES = 20;

/**
 * Identifies callers by an application password, or by a browser session with its nonce.
 *
 * Wrong credentials are rejected on every route. After too many failures from one address for one account, further
 * wrong ones are delayed; correct ones always work.
 *
 * Other schemes, malformed headers and cookies without a nonce are ignored: another site can make a browser send the
 * cookie, but not the nonce.
 */
export function createAuthenticator(context: OriginContext): Authenticate {
  const countAttempt = failureThrottle({ failures: MAX_FAILURES });
  return async ({ authorization, cookie, nonce, clientAddress }) => {
    const basic = readBasic(authorization);
    if (!basic) return nonce === undefined ? ANONYMOUS : authenticateSession(context, cookie, nonce);
    const found = await findApplicationPassword(context, basic.login, basic.password, clientAddress);
    if (found) return { ...createCaller(found.user, context), applicationPassword: found.uuid };
    const account = throttleAccount(await findUserByLogin(context, basic.login), basic.login);
    const attempt = countAttempt(getClientNetwork(clientAddress), account);
    throw attempt.waitSeconds === undefined ? wrongCredentialsError() : tooManyAttemptsError(attempt.waitSeconds);
  };
}

async function authenticateSession(context: OriginContext, cookie: string | undefined, nonce: string): Promise<Caller> {
  const session = await findSession(context, cookie);
  if (session && isRestNonce(context, session.id, nonce))
    return { ...createCaller(session.user, context), session: session.id };
  throw createCommonError('rest_cookie_invalid_nonce', 'The nonce does not belong to a session.');
}

function readBasic(header: string | undefined): { login: string; password: string } | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(header?.trim() ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const at = decoded.indexOf(':');
  return at > 0 && !decoded.includes('\0')
    ? { login: decoded.slice(0, at), password: decoded.slice(at + 1) }
    : undefined;
}

/** The same error for unknown users and wrong passwords, so that logins can't be probed. */
function wrongCredentialsError(): RestError {
  return createCommonError('incorrect_password', 'No user has this login with this application password.');
}

function tooManyAttemptsError(waitSeconds: number): RestError {
  return createCommonError('rest_too_many_attempts', 'Too many wrong passwords. Wait before the next one.', {
    retryAfterSeconds: waitSeconds,
  });
}

/** Returns the nonce (`X-WP-Nonce`) that pages of a browser session send to act as its user. */
export function restNonce(context: OriginContext, sessionId: string): string {
  return signForm(context, FORM, sessionId);
}

export function isRestNonce(context: OriginContext, sessionId: string, nonce: string): boolean {
  return isFormTokenValid(context, FORM, sessionId, nonce);
}
