import { mayReadProducts } from '#origin/platform/accounts/index.ts';
import type { KeptAnswer } from '#origin/platform/cache/response-cache.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import {
  authenticateCaller,
  refuseCaller,
  type ProductCaller,
  type CallerThrottle,
  ProductRefusal,
  type ProductVisit,
} from './authenticate-caller.ts';
import { describeView } from './describe-view.ts';
import { negotiate, type Representation } from './negotiate.ts';
import { presentAnswer } from './present-product.ts';
import type { ProductView } from './product-view.ts';
import { JSON_RENDERER } from './renderers.ts';

/**
 * Handles a request whose path has a view. Checks in the order of the imitated framework: response format, caller,
 * permission, rate limit, method, view.
 */
export async function answerView(
  context: OriginContext,
  throttle: CallerThrottle,
  view: ProductView,
  visit: ProductVisit,
): Promise<Response> {
  let representation: Representation = { renderer: JSON_RENDERER };
  let caller: ProductCaller | undefined;
  try {
    representation = negotiate(view.renderers, visit.header('accept'), visit.query.getAll('format').at(-1));
    caller = await authenticateCaller(context, visit);
    admit(context, view, caller);
    if (caller) await throttle(caller.countAs);
    const body = await readView(context, view, { ...visit, caller });
    const offer = offerOf(visit, caller, throttle);
    return await presentAnswer(context, view, { ...visit, caller, offer }, representation, { status: 200, body });
  } catch (error) {
    if (!(error instanceof ProductRefusal)) throw error;
    return presentAnswer(context, view, { ...visit, caller }, representation, error);
  }
}

/** Offers a response to the cache for a token's requests. Cached responses count against the rate limit too. */
function offerOf({ offer }: ProductVisit, caller: ProductCaller | undefined, throttle: CallerThrottle) {
  if (!offer || !caller || caller.session) return undefined;
  const count = () =>
    throttle(caller.countAs).then(
      () => true,
      () => false,
    );
  return (response: KeptAnswer) => offer({ ...response, count });
}

/** Admits callers with read permission, or everyone if the route is public. */
function admit(context: OriginContext, view: ProductView, caller: ProductCaller | undefined): void {
  if (view.route.access === 'public') return;
  if (!caller) throw refuseCaller(context, 'notAuthenticated');
  if (!mayReadProducts(caller.user)) throw new ProductRefusal('forbidden');
}

async function readView(context: OriginContext, view: ProductView, visit: ProductVisit): Promise<unknown> {
  const { method } = visit;
  if (method === 'OPTIONS') return describeView(view);
  if (method !== 'GET' && method !== 'HEAD') throw new ProductRefusal('methodNotAllowed', { values: { method } });
  return view.read(context, visit);
}
