import { RateLimiterMemory } from 'rate-limiter-flexible';
import { findApplicationPassword, findSession, findUserByLogin } from '../../accounts/index.ts';
import type { OriginContext } from '../../origin-context.ts';
import { RestError } from '../transport/rest-error.ts';
import { ANONYMOUS, type Caller } from './caller.ts';
import { isRestNonce } from './rest-nonce.ts';

/** What of a request tells who sent it. */
export interface Credentials {
  /** The `Authorization` header. */
  authorization: string | undefined;
  /** The `Cookie` header. */
  cookie: string | undefined;
  /** What goes with the cookie, from a header or a parameter. */
  nonce: string | undefined;
  /** Address of the client, as far as it is known. */
  clientAddress: string;
}

export type Authenticate = (credentials: Credentials) => Promise<Caller>;

const MAX_FAILURES = 20;
const FAILURE_WINDOW_SECONDS = 15 * 60;

/**
 * Tells callers by their application password, or by a browser session that shows its nonce.
 *
 * Wrong credentials are refused on every route, never taken for a stranger's; after too many of them from one
 * address for one login, all are refused for a while. Other schemes and garbage are ignored, and so is a cookie
 * without a nonce: a page elsewhere can make a browser send the one, but not the other.
 */
export function createAuthenticator(context: OriginContext): Authenticate {
  const failures = new RateLimiterMemory({ points: MAX_FAILURES, duration: FAILURE_WINDOW_SECONDS });
  return async ({ authorization, cookie, nonce, clientAddress }) => {
    const basic = readBasic(authorization);
    if (!basic) return nonce === undefined ? ANONYMOUS : tellSession(context, cookie, nonce);
    const key = `${clientAddress} ${basic.login.toLowerCase()}`;
    const counted = await failures.get(key);
    if (counted && counted.consumedPoints >= MAX_FAILURES) throw tooMany(counted.msBeforeNext);
    const found = await findApplicationPassword(context, basic.login, basic.password, clientAddress);
    if (found) return { user: found.user, applicationPassword: found.uuid };
    await failures.consume(key).catch(() => undefined);
    throw await wrongCredentials(context, basic.login);
  };
}

async function tellSession(context: OriginContext, cookie: string | undefined, nonce: string): Promise<Caller> {
  const session = await findSession(context, cookie);
  if (session && isRestNonce(context, session.id, nonce)) return { user: session.user, session: session.id };
  throw new RestError('rest_cookie_invalid_nonce', 403, 'The nonce does not belong to a session.');
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

async function wrongCredentials(context: OriginContext, login: string): Promise<RestError> {
  if (await findUserByLogin(context, login))
    return new RestError('incorrect_password', 401, 'This is no application password of the user.');
  return login.includes('@')
    ? new RestError('invalid_email', 401, 'No user has this e-mail address.')
    : new RestError('invalid_username', 401, 'No user has this name.');
}

function tooMany(msBeforeNext: number): RestError {
  const error = new RestError('rest_too_many_attempts', 429, 'Too many wrong passwords. Wait before the next one.');
  error.retryAfterSeconds = Math.ceil(msBeforeNext / 1000);
  return error;
}
