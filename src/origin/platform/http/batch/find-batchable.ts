import type { runBatch } from '#contracts/batch.ts';
import { type DispatchScope, findRoute, createNoRouteError } from '../transport/dispatch.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import type { Call, RouteRegistry } from '../transport/index.ts';
import type { RestRequest } from '../transport/rest-request.ts';

export type BatchCall = Call<typeof runBatch>;

/** Finds the route of a request in a batch. @throws RestError if there is none, or it doesn't support batches */
export function findBatchable(request: RestRequest, { refuse }: BatchCall, registry: RouteRegistry) {
  const match = findRoute(request, registry);
  if (!match) throw createNoRouteError();
  if (match.route.declaration.batch !== 'v1')
    throw refuse('rest_batch_not_allowed', 'This route does not support batch requests.');
  return match;
}

/** Creates the scope for a request of a batch. Nothing is cached across its requests. */
export function createBatchScope({ caller, context, addresses }: BatchCall, registry: RouteRegistry): DispatchScope {
  return { caller, context, addresses, registry, requestMemo: new Memo() };
}
