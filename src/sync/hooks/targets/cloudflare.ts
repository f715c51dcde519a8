import type { HookAnswer, HookRequest, Verdict } from './hook-target.ts';
import { evaluateStatus } from './judge-status.ts';
import { readReference, readSuccess } from './read-reference.ts';

/** Both kinds of deploy hooks take no payload. */
export function composeCloudflareRequest(url: string): HookRequest {
  return { method: 'POST', url, headers: {}, body: '' };
}

export function evaluateCloudflarePages(answer: HookAnswer, at: Date): Verdict {
  const verdict = evaluateStatus(answer, at);
  if (verdict.outcome !== 'delivered') return verdict;
  if (readSuccess(answer.body) === false) return { outcome: 'failed', problem: `${answer.status}, but no success` };
  return { ...verdict, reference: readReference(answer.body, ['result', 'id']) };
}

/** A build was started only if the answer says so. */
export function evaluateCloudflareWorkers(answer: HookAnswer, at: Date): Verdict {
  const verdict = evaluateStatus(answer, at);
  if (verdict.outcome !== 'delivered') return verdict;
  if (readSuccess(answer.body) !== true) return { outcome: 'failed', problem: `${answer.status}, but no success` };
  return { ...verdict, reference: readReference(answer.body, ['result', 'build_uuid']) };
}
