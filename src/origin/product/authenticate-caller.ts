import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PRODUCT_ERRORS } from '#contracts/product/routes.ts';
import { findSession, type BrowserSession } from '#origin/platform/accounts/sessions.ts';
import { findTokenOwner } from '#origin/platform/accounts/product-tokens.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

export interface ProductCaller {
  user: UserRow;
  /** Rate limit key: one per token, or one per user in a browser. */
  countAs: string;
  /** Session of the browser, for callers without a token. */
  session?: BrowserSession;
}

/**
 * Identifies the caller by the token in `Authorization: Token …`, or on safe methods by a browser session. Undefined if
 * the request has neither; other schemes are ignored.
 *
 * @throws ProductRefusal 401 for an invalid token; 403 with the option `session-first`.
 */
export async function authenticateCaller(
  context: OriginContext,
  visit: ProductRequest,
): Promise<ProductCaller | undefined> {
  const bySession = () => findBrowser(context, visit);
  const byToken = () => findTokenCaller(context, visit.header('authorization') ?? '');
  return context.product.authentication === 'session-first'
    ? ((await bySession()) ?? byToken())
    : ((await byToken()) ?? bySession());
}

/** Creates the 401 of a token-first server, or the 403 of a session-first server. */
export function createAuthenticationError(context: OriginContext, error: ProductErrorName): ProductError {
  const isSessionFirst = context.product.authentication === 'session-first';
  return isSessionFirst
    ? new ProductError(error, { status: 403 })
    : new ProductError(error, { headers: { 'WWW-Authenticate': 'Token' } });
}

async function findTokenCaller(context: OriginContext, header: string): Promise<ProductCaller | undefined> {
  const [scheme, token, ...rest] = header.split(/\s+/).filter((word) => word !== '');
  if (scheme?.toLowerCase() !== 'token') return undefined;
  if (token === undefined) throw createAuthenticationError(context, 'noToken');
  if (rest.length > 0) throw createAuthenticationError(context, 'tokenWithSpaces');
  if (!isUtf8(token)) throw createAuthenticationError(context, 'tokenBytes');
  const owner = await findTokenOwner(context, token);
  if (!owner) throw createAuthenticationError(context, 'invalidToken');
  if (!owner.user.active) throw createAuthenticationError(context, 'inactiveUser');
  return { user: owner.user, countAs: `token ${owner.tokenId}` };
}

async function findBrowser(
  context: OriginContext,
  { method, header }: ProductRequest,
): Promise<ProductCaller | undefined> {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return undefined;
  const session = await findSession(context, header('cookie'));
  return session && { user: session.user, countAs: `user ${session.user.id}`, session };
}

/** Node passes header values as Latin-1, one character per byte. */
function isUtf8(header: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
    return true;
  } catch {
    return false;
  }
}

/** A request as views see it. */
export interface ProductRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  /** Captures of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  header(name: string): string | undefined;
  caller?: ProductCaller | undefined;
}

/**
 * Counts one request of a caller.
 *
 * @throws ProductRefusal 429 if the limit is exceeded
 */
export type CallerThrottle = (countAs: string) => Promise<void>;

/**
 * Limits each caller's requests per minute; 0 means no limit. A refused request doesn't extend the minute. Counts per
 * process.
 */
export function createCallerThrottle(requestsPerMinute: number): CallerThrottle {
  if (requestsPerMinute <= 0) return () => Promise.resolve();
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (countAs) => {
    try {
      await limiter.consume(countAs);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.ceil(error.msBeforeNext / 1000);
      throw new ProductError('throttled', { values: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}

type ProductErrorName = keyof typeof PRODUCT_ERRORS;

interface ProductErrorOptions {
  /** Values for the placeholders in the message. */
  values?: Readonly<Record<string, string | number>>;
  /** The invalid query parameter, named in the body like a validation error. */
  parameter?: string;
  headers?: Readonly<Record<string, string>>;
  /** @default the status of the error */
  status?: number;
}

/** Aborts a request with one of the interface's error bodies. */
export class ProductError extends Error {
  override readonly name = 'ProductRefusal';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: ProductErrorName, { values = {}, parameter, headers = {}, status }: ProductErrorOptions = {}) {
    const { detail, status: defaultStatus } = PRODUCT_ERRORS[error];
    const message = detail.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
    super(message);
    this.status = status ?? defaultStatus;
    this.body = parameter === undefined ? { detail: message } : { [parameter]: [message] };
    this.headers = headers;
  }
}
