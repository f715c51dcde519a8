import type { BatchedAnswer, BatchedRequest } from '#contracts/batch.ts';
import { RestError, refuseCommon, type RouteRegistry } from '../transport/index.ts';
import { allowedOn, dispatch, refusal, type Outcome } from '../transport/dispatch.ts';
import { fieldsOf, type RestRequest } from '../transport/rest-request.ts';
import { selectFields } from '../transport/select-fields.ts';
import { findBatchable, scopeOf, type BatchCall } from './find-batchable.ts';
import { readBatched } from './read-batched.ts';

/** Runs one request of a batch. A fault in it is told in its place and does not keep the others from running. */
export async function answerBatched(
  batched: BatchedRequest,
  call: BatchCall,
  registry: RouteRegistry,
): Promise<BatchedAnswer> {
  try {
    const request = readBatched(batched, call);
    const outcome = await answer(request, call, registry);
    const body = outcome.status >= 400 ? outcome.body : selectFields(outcome.body, fieldsOf(request));
    return { body, status: outcome.status, headers: headersOf(outcome) };
  } catch (error) {
    if (error instanceof RestError) return { body: error.body, status: error.status, headers: [] };
    const reason = error instanceof Error ? error.message.split('\nparams:')[0] : String(error);
    call.context.log(`[${batched.method}] "${batched.path}" in a batch failed: ${reason}`);
    const fault = refuseCommon('internal_server_error', 'The server could not answer. The log says why.');
    return { body: fault.body, status: fault.status, headers: [] };
  }
}

async function answer(request: RestRequest, call: BatchCall, registry: RouteRegistry): Promise<Outcome> {
  const scope = scopeOf(call, registry);
  try {
    findBatchable(request, call, registry);
  } catch (error) {
    const [found] = registry.find(request.path);
    if (!found || !(error instanceof RestError)) throw error;
    const allow = await allowedOn(found.served, found.captured, request, scope);
    return { ...refusal(error), ...(allow.length > 0 ? { allow } : {}) };
  }
  return dispatch(request, scope);
}

function headersOf({ allow, location, retryAfterSeconds }: Outcome): BatchedAnswer['headers'] {
  const headers = { Location: location, Allow: allow?.join(', '), 'Retry-After': retryAfterSeconds };
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return sent.length > 0 ? Object.fromEntries(sent) : [];
}
