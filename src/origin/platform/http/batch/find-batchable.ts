import type { runBatch } from '#contracts/batch.ts';
import type { DispatchScope } from '../transport/build-call.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import { findRoute, noRoute } from '../transport/dispatch.ts';
import type { Call, RouteRegistry } from '../transport/index.ts';
import type { RestRequest } from '../transport/rest-request.ts';

/** The request that holds the others. */
export type BatchCall = Call<typeof runBatch>;

/** The route of a request in a batch. @throws RestError when there is none, or none that takes batches */
export function findBatchable(request: RestRequest, { refuse }: BatchCall, registry: RouteRegistry) {
  const found = findRoute(request, registry);
  if (!found) throw noRoute();
  if (found.route.declaration.batch !== 'v1')
    throw refuse('rest_batch_not_allowed', 'This route takes no requests in batches.');
  return found;
}

/** Everything about a request of a batch that is not the request; nothing is remembered from one to the next. */
export function scopeOf({ caller, context, addresses }: BatchCall, registry: RouteRegistry): DispatchScope {
  return { caller, context, addresses, registry, requestMemo: new Memo() };
}
