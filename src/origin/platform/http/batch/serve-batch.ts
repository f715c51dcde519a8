import { runBatch, type BatchedResponse, type BatchedRequest } from '#contracts/batch.ts';
import { Memo } from '#origin/platform/context/origin-context.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import type { ResultOf, Call } from '../transport/call.ts';
import { errorResponse, type RestResponse } from '../transport/respond.ts';
import { RestError, createCommonError } from '../transport/rest-error.ts';
import { decodePath, mergeParameters, type RestRequest, parseQuery } from '../transport/rest-request.ts';
import { type RouteRegistry, parseParameters } from '../transport/route-registry.ts';
import { findAllowedMethods, dispatch, findRoute, createNoRouteError } from '../transport/serve-request.ts';

type BatchCall = Call<typeof runBatch>;

/** Serves the route that runs several writes with the rights of the caller. */
export function serveBatch(registry: RouteRegistry): void {
  registry.serve(runBatch, async (call): Promise<ResultOf<typeof runBatch>> => {
    const { requests, validation } = call.body;
    if (validation === 'require-all-validate') {
      const failures = await Promise.all(requests.map((request) => checkBatched(request, call, registry)));
      if (failures.some((failure) => failure !== null))
        return { status: 207, body: { failed: 'validation', responses: failures } };
    }
    const responses: BatchedResponse[] = [];
    // Sequential, as a request may depend on the previous ones.
    for (const request of requests) responses.push(await runBatched(request, call, registry));
    return { status: 207, body: { responses } };
  });
}

/** Validates path, route and parameters of a request before it runs. Rights and IDs are checked later. */
async function checkBatched(
  batched: BatchedRequest,
  call: BatchCall,
  registry: RouteRegistry,
): Promise<BatchedResponse | null> {
  const { caller, context } = call;
  try {
    const request = readBatched(batched, call);
    const { route, captured } = findBatchable(request, call, registry);
    await parseParameters(route, mergeParameters(request, captured), { caller, context, memo: new Memo() });
    return null;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return batchedResponse(errorResponse(error));
  }
}

/** Runs one request. A bug in it is reported in its response and doesn't stop the others. */
async function runBatched(batched: BatchedRequest, call: BatchCall, registry: RouteRegistry): Promise<BatchedResponse> {
  const { caller, context, addresses } = call;
  // Nothing is cached across the requests.
  const scope = { caller, context, addresses, registry, requestMemo: new Memo() };
  let request: RestRequest | undefined;
  try {
    request = readBatched(batched, call);
    const match = findBatchable(request, call, registry);
    return batchedResponse(await dispatch(request, scope, { match }));
  } catch (error) {
    if (error instanceof RestError) {
      const [match] = request ? registry.find(request.path) : [];
      if (!request || !match) return batchedResponse(errorResponse(error));
      const allow = await findAllowedMethods(match, request, { ...scope, memo: new Memo() });
      return batchedResponse({ ...errorResponse(error), ...(allow.length > 0 ? { allow } : {}) });
    }
    logError(context.log, `[${batched.method}] "${batched.path}" in a batch failed`, error);
    const message = 'The server failed to process the request. See its log for the reason.';
    return batchedResponse(errorResponse(createCommonError('internal_server_error', message)));
  }
}

function batchedResponse({ body, status, allow, location, retryAfterSeconds }: RestResponse): BatchedResponse {
  const headers = { Location: location, Allow: allow?.join(', '), 'Retry-After': retryAfterSeconds };
  const defined = Object.entries(headers).filter(([, value]) => value !== undefined);
  return { body, status, headers: defined.length > 0 ? Object.fromEntries(defined) : [] };
}

/**
 * Converts an entry of a batch into a request. Of an absolute address only the path is used.
 *
 * @throws RestError if the path is invalid
 */
function readBatched({ method, path, body }: BatchedRequest, call: BatchCall): RestRequest {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(path) ? URL.parse(path) : undefined;
  if (url === null) throw call.refuse('parse_path_failed', 'The path of this request can not be read.');
  const [plain = ''] = url ? [url.pathname + url.search] : path.split('#');
  const at = plain.indexOf('?');
  const [inner, query] = at < 0 ? [plain, ''] : [plain.slice(0, at), plain.slice(at + 1)];
  // A path with no leading slash is not below the root and matches no route.
  const route = inner.startsWith('/') ? decodePath(inner.slice(1)) : `/${inner}`;
  return { method, path: route, query: parseQuery(query), ...(body === undefined ? {} : { form: body }) };
}

/** Finds the route of a request in a batch. @throws RestError if there is none, or it doesn't support batches */
function findBatchable(request: RestRequest, { refuse }: BatchCall, registry: RouteRegistry) {
  const match = findRoute(request, registry);
  if (!match) throw createNoRouteError();
  if (match.route.declaration.batch !== 'v1')
    throw refuse('rest_batch_not_allowed', 'This route does not support batch requests.');
  return match;
}
