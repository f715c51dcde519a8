import { runBatch, type BatchedAnswer, type BatchedRequest } from '#contracts/batch.ts';
import { logFault } from '#origin/platform/store/log-fault.ts';
import { allowedOn, dispatch, refusal, type Outcome } from '../transport/dispatch.ts';
import { selectFields } from '../transport/field-selection.ts';
import { type AnswerOf, type RouteRegistry, Memo, RestError, refuseCommon } from '../transport/index.ts';
import { parseParameters } from '../transport/parse-parameters.ts';
import { mergeParameters, fieldsOf, type RestRequest, parseQuery } from '../transport/rest-request.ts';
import { type BatchCall, findBatchable, scopeOf } from './find-batchable.ts';

/** Serves the route that takes several writes at once. Each has the rights of who sends the batch, and no others. */
export function serveBatch(registry: RouteRegistry): void {
  registry.serve(runBatch, async (call): Promise<AnswerOf<typeof runBatch>> => {
    const { requests, validation } = call.body;
    if (validation === 'require-all-validate') {
      const failures = await checkAll(requests, call, registry);
      if (failures.some((failure) => failure !== null)) {
        return { status: 207, body: { failed: 'validation', responses: failures } };
      }
    }
    const responses: BatchedAnswer[] = [];
    // In order: a request may build on what one before it has written.
    for (const request of requests) responses.push(await answerBatched(request, call, registry));
    return { status: 207, body: { responses } };
  });
}

function checkAll(
  requests: readonly BatchedRequest[],
  call: BatchCall,
  registry: RouteRegistry,
): Promise<(BatchedAnswer | null)[]> {
  return Promise.all(requests.map((request) => checkBatched(request, call, registry)));
}

/** What is wrong with a request before it is run: its path, its route, its parameters. Rights and ids show later. */
async function checkBatched(
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

/** Runs one request of a batch. A fault in it is told in its place and does not keep the others from running. */
async function answerBatched(
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
    logFault(call.context.log, `[${batched.method}] "${batched.path}" in a batch failed`, error);
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

/**
 * A request of a batch as a request to the interface. Of a whole address the path counts.
 *
 * @throws RestError when the path is none
 */
function readBatched({ method, path, body }: BatchedRequest, call: BatchCall): RestRequest {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(path) ? readAddress(path, call) : path;
  const [plain = ''] = address.split('#');
  const at = plain.indexOf('?');
  const [inner, query] = at < 0 ? [plain, ''] : [plain.slice(0, at), plain.slice(at + 1)];
  // Without the slash in front it is no path below the root, and no route answers it.
  const route = inner.startsWith('/') ? decodePath(inner.slice(1).replace(/\/$/, '')) : `/${inner}`;
  return { method, path: route, query: parseQuery(query), ...(body === undefined ? {} : { form: body }) };
}

function readAddress(text: string, { refuse }: BatchCall): string {
  if (!URL.canParse(text)) throw refuse('parse_path_failed', 'The path of this request can not be read.');
  const { pathname, search } = new URL(text);
  return pathname + search;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
