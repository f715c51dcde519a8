import { isUtf8 } from 'node:buffer';
import { parseAccept, type Accept } from 'hono/utils/accept';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PRODUCT_ERRORS } from '#contracts/product/routes.ts';
import { findSession, type BrowserSession } from '#origin/platform/accounts/sessions.ts';
import { findTokenOwner } from '#origin/platform/accounts/product-tokens.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { RouteResponseInput, RouteDeclaration } from '#contracts/index.ts';

/** Methods of every view. Only these accept a browser session. */
export const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

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
 * @throws ProductError 401 for an invalid token; 403 with the option `session-first`.
 */
export async function authenticateCaller(context: OriginContext, visit: ProductRequest) {
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
  // Node passes header values as Latin-1, one character per byte.
  if (!isUtf8(Buffer.from(token, 'latin1'))) throw createAuthenticationError(context, 'tokenBytes');
  const owner = await findTokenOwner(context, token);
  if (!owner) throw createAuthenticationError(context, 'invalidToken');
  if (!owner.user.active) throw createAuthenticationError(context, 'inactiveUser');
  return { user: owner.user, countAs: `token ${owner.tokenId}` };
}

async function findBrowser(context: OriginContext, { method, header }: ProductRequest) {
  if (!SAFE_METHODS.includes(method)) return undefined;
  const session = await findSession(context, header('cookie'));
  return session && { user: session.user, countAs: `user ${session.user.id}`, session };
}

export interface ProductRequest {
  method: string;
  /** Path and query as received. */
  target: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  header(name: string): string | undefined;
  caller?: ProductCaller | undefined;
}

/**
 * Limits each caller's requests per minute; 0 means no limit. A refused request doesn't extend the minute. Counts per
 * process. The returned function counts one request and throws ProductError 429 if the limit is exceeded.
 */
export function createCallerThrottle(requestsPerMinute: number) {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (countAs: string) => {
    if (requestsPerMinute <= 0) return;
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
  override readonly name = 'ProductError';
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

export interface Representation {
  renderer: Renderer;
  /** Spaces to indent JSON by, from `Accept: application/json; indent=4`. */
  indent: number;
}

const MAX_INDENT = 8;

/**
 * Chooses the response format: the most specific media range of `Accept` first, then the view's own order. `q` is
 * ignored, as on servers of this kind. A non-empty `?format=` selects one renderer, which `Accept` can't refuse.
 *
 * @throws ProductError 404 for a format that the view doesn't have, 406 for an `Accept` it can't satisfy.
 */
export function negotiateFormat(
  renderers: readonly Renderer[],
  accept: string | undefined,
  format: string | undefined,
): Representation {
  const candidates = format ? renderers.filter((renderer) => renderer.format === format) : renderers;
  const [first] = candidates;
  if (!first) throw new ProductError('unknownFormat');
  // Names and types are case-insensitive.
  const ranges = parseAccept((accept ?? '*/*').toLowerCase());
  for (const precedence of [3, 2, 1, 0]) {
    const level = ranges.filter((range) => precedenceOf(range) === precedence);
    for (const renderer of candidates) {
      const range = level.find((candidate) => matches(renderer, candidate));
      if (range) return { renderer, indent: readIndent(range) };
    }
  }
  if (format) return { renderer: first, indent: 0 };
  throw new ProductError('notAcceptable');
}

function precedenceOf({ type, params }: Accept): number {
  if (type.startsWith('*')) return 0;
  if (type.endsWith('/*')) return 1;
  return Object.keys(params).every((key) => key === 'q') ? 2 : 3;
}

function matches({ mediaType, alsoFor = [] }: Renderer, { type }: Accept): boolean {
  const [main, sub] = type.split('/');
  return [mediaType, ...alsoFor].some((offered) => {
    const [offeredMain, offeredSub] = offered.split('/');
    return (main === '*' || main === offeredMain) && (sub === '*' || sub === offeredSub);
  });
}

function readIndent({ params }: Accept): number {
  const text = params['indent'] ?? '';
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_INDENT) : 0;
}

interface Renderer {
  /** Value of `?format=`. */
  format: string;
  mediaType: string;
  /** Further media types in `Accept` that it satisfies. */
  alsoFor?: readonly string[];
}

export const JSON_RENDERER: Renderer = { format: 'json', mediaType: 'application/json' };

export const PAGE_RENDERER: Renderer = { format: 'api', mediaType: 'text/html' };

export const DOCUMENT_RENDERER: Renderer = { format: 'html', mediaType: 'text/html' };

/** One JSON object per line. It is the route's only format, so requests for JSON get it too. */
export const LINES_RENDERER: Renderer = {
  format: 'ndjson',
  mediaType: 'application/x-ndjson',
  alsoFor: ['application/ndjson', 'application/jsonl', 'application/json'],
};

/** One address of the interface: its route and its handler. */
export interface ProductView<R extends RouteDeclaration = RouteDeclaration> {
  route: R;
  /** Name in `OPTIONS` responses and in the page's heading. */
  name: string;
  /** In order of preference. */
  renderers: readonly Renderer[];
  /**
   * Returns the value to render, or a finished response.
   *
   * @throws ProductError
   */
  read(context: OriginContext, visit: ProductRequest): Promise<RouteResponseInput<R> | Response>;
}
