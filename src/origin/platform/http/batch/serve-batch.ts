import { runBatch, type BatchedAnswer, type BatchedRequest } from '#contracts/batch.ts';
import type { AnswerOf, RouteRegistry } from '../transport/index.ts';
import { answerBatched } from './answer-batched.ts';
import { checkBatched } from './check-batched.ts';
import type { BatchCall } from './find-batchable.ts';

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
