import type { BatchedAnswer, BatchedRequest } from '#contracts/batch.ts';
import { Memo, RestError, type RouteRegistry } from '../transport/index.ts';
import { parseParameters } from '../transport/parse-parameters.ts';
import { mergeParameters } from '../transport/rest-request.ts';
import { findBatchable, type BatchCall } from './find-batchable.ts';
import { readBatched } from './read-batched.ts';

/** What is wrong with a request before it is run: its path, its route, its parameters. Rights and ids show later. */
export async function checkBatched(
  batched: BatchedRequest,
  call: BatchCall,
  registry: RouteRegistry,
): Promise<BatchedAnswer | null> {
  const { caller, context } = call;
  try {
    const request = readBatched(batched, call);
    const { route, captured } = findBatchable(request, call, registry);
    await parseParameters(route, mergeParameters(request, captured), { caller, context, memo: new Memo() });
    return null;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { body: error.body, status: error.status, headers: [] };
  }
}
