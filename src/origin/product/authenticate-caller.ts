import { findSession, findTokenOwner, type BrowserSession, type UserRow } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ProductRefusal, type ProductErrorName } from './product-refusal.ts';

export interface ProductCaller {
  user: UserRow;
  /** Whose requests are counted together: each token for itself, a person at a browser as one. */
  countAs: string;
  /** The browser's session, for callers without a token. */
  session?: BrowserSession;
}

/**
 * Who is calling: the owner of the token in `Authorization: Token …`, or on safe methods the user of a browser's
 * session. Undefined if the request shows neither; another scheme counts as neither.
 *
 * @throws ProductRefusal 401 for a token that isn't one; 403 under the knob `session-first`.
 */
export async function authenticateCaller(
  context: OriginContext,
  visit: ProductVisit,
): Promise<ProductCaller | undefined> {
  const bySession = () => findBrowser(context, visit);
  const byToken = () => findTokenCaller(context, visit.header('authorization') ?? '');
  return context.product.authentication === 'session-first'
    ? ((await bySession()) ?? byToken())
    : ((await byToken()) ?? bySession());
}

/** The 401 of a server that asks for a token first, or the 403 of one that asks for a session first. */
export function refuseCaller(context: OriginContext, error: ProductErrorName): ProductRefusal {
  const isSessionFirst = context.product.authentication === 'session-first';
  return isSessionFirst
    ? new ProductRefusal(error, { status: 403 })
    : new ProductRefusal(error, { headers: { 'WWW-Authenticate': 'Token' } });
}

async function findTokenCaller(context: OriginContext, header: string): Promise<ProductCaller | undefined> {
  const [scheme, token, ...more] = header.split(/\s+/).filter((word) => word !== '');
  if (scheme?.toLowerCase() !== 'token') return undefined;
  if (token === undefined) throw refuseCaller(context, 'noToken');
  if (more.length > 0) throw refuseCaller(context, 'tokenWithSpaces');
  if (!isUtf8(token)) throw refuseCaller(context, 'tokenBytes');
  const owner = await findTokenOwner(context, token);
  if (!owner) throw refuseCaller(context, 'invalidToken');
  if (!owner.user.active) throw refuseCaller(context, 'inactiveUser');
  return { user: owner.user, countAs: `token ${owner.tokenId}` };
}

async function findBrowser(
  context: OriginContext,
  { method, header }: ProductVisit,
): Promise<ProductCaller | undefined> {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return undefined;
  const session = await findSession(context, header('cookie'));
  return session && { user: session.user, countAs: `user ${session.user.id}`, session };
}

/** Header values arrive as Latin-1, a character a byte. */
function isUtf8(header: string): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
    return true;
  } catch {
    return false;
  }
}

/** A request as a view sees it. */
export interface ProductVisit {
  method: string;
  /** Path and query as they were sent. */
  target: string;
  /** Captures of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** A header of the request. */
  header(name: string): string | undefined;
  caller?: ProductCaller | undefined;
}
