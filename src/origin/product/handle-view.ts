import { canReadProducts } from '#origin/platform/accounts/product-tokens.ts';
import type { CachedResponse } from '#origin/platform/cache/response-cache.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import {
  authenticateCaller,
  createAuthenticationError,
  type ProductCaller,
  type CallerThrottle,
  ProductError,
  type ProductRequest,
} from './authenticate-caller.ts';
import { describeView } from './describe-view.ts';
import { negotiateFormat, type Representation } from './negotiate.ts';
import { respondWithView } from './present-product.ts';
import type { ProductView } from './product-view.ts';
import { JSON_RENDERER } from './renderers.ts';

/**
 * Handles a request whose path has a view. Checks in the order of the imitated framework: response format, caller,
 * permission, rate limit, method, view.
 */
export async function handleView(
  context: OriginContext,
  throttle: CallerThrottle,
  view: ProductView,
  visit: ProductRequest,
): Promise<Response> {
  let representation: Representation = { renderer: JSON_RENDERER };
  let caller: ProductCaller | undefined;
  try {
    representation = negotiateFormat(view.renderers, visit.header('accept'), visit.query.getAll('format').at(-1));
    caller = await authenticateCaller(context, visit);
    admit(context, view, caller);
    if (caller) await throttle(caller.countAs);
    const body = await readView(context, view, { ...visit, caller });
    const offer = offerOf(visit, caller, throttle);
    return await respondWithView(context, view, { ...visit, caller, offer }, representation, { status: 200, body });
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return respondWithView(context, view, { ...visit, caller }, representation, error);
  }
}

/** Offers a response to the cache for a token's requests. Cached responses count against the rate limit too. */
function offerOf({ offer }: ProductRequest, caller: ProductCaller | undefined, throttle: CallerThrottle) {
  if (!offer || !caller || caller.session) return undefined;
  const count = () =>
    throttle(caller.countAs).then(
      () => true,
      () => false,
    );
  return (response: CachedResponse) => offer({ ...response, count });
}

/** Admits callers with read permission, or everyone if the route is public. */
function admit(context: OriginContext, view: ProductView, caller: ProductCaller | undefined): void {
  if (view.route.access === 'public') return;
  if (!caller) throw createAuthenticationError(context, 'notAuthenticated');
  if (!canReadProducts(caller.user)) throw new ProductError('forbidden');
}

async function readView(context: OriginContext, view: ProductView, visit: ProductRequest): Promise<unknown> {
  const { method } = visit;
  if (method === 'OPTIONS') return describeView(view);
  if (method !== 'GET' && method !== 'HEAD') throw new ProductError('methodNotAllowed', { values: { method } });
  return view.read(context, visit);
}
