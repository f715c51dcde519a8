import type { BatchedAnswer, BatchedRequest } from '#contracts/batch.ts';
import { Memo, RestError, type AnyCall, type RouteRegistry } from '../transport/index.ts';
import { parseParameters } from '../transport/parse-parameters.ts';
import { mergeParameters } from '../transport/rest-request.ts';
import { findBatchable } from './find-batchable.ts';
import { readBatched } from './read-batched.ts';

/** What is wrong with a request before it is run: its path, its route, its parameters. Rights and ids show later. */
export async function checkBatched(
  batched: BatchedRequest,
  { caller, context }: AnyCall,
  registry: RouteRegistry,
): Promise<BatchedAnswer | null> {
  try {
    const request = readBatched(batched);
    const { route, captured } = findBatchable(request, registry);
    await parseParameters(route, mergeParameters(request, captured), { caller, context, memo: new Memo() });
    return null;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { body: error.body, status: error.status, headers: [] };
  }
}
