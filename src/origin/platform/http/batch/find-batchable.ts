import { RestError, type AnyCall, type RouteRegistry } from '../transport/index.ts';
import { findRoute, noRoute } from '../transport/dispatch.ts';
import type { DispatchScope } from '../transport/build-call.ts';
import { Memo } from '../transport/memo.ts';
import type { RestRequest } from '../transport/rest-request.ts';

/** The route of a request in a batch. @throws RestError when there is none, or none that takes batches */
export function findBatchable(request: RestRequest, registry: RouteRegistry) {
  const found = findRoute(request, registry);
  if (!found) throw noRoute();
  if (found.route.declaration.batch !== 'v1')
    throw new RestError('rest_batch_not_allowed', 400, 'This route takes no requests in batches.');
  return found;
}

/** Everything about a request of a batch that is not the request; nothing is remembered from one to the next. */
export function scopeOf({ caller, context, addresses }: AnyCall, registry: RouteRegistry): DispatchScope {
  return { caller, context, addresses, registry, requestMemo: new Memo() };
}
