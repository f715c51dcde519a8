import type { HookOptions } from '#config/hook-options.ts';
import type { HookAnswer, HookRequest, Verdict } from './hook-target.ts';
import { evaluateStatus } from './judge-status.ts';
import { readReference } from './read-reference.ts';

type VercelHook = Extract<HookOptions, { type: 'vercel' }>;

/** A deploy hook takes no payload. */
export function composeVercelRequest(hook: VercelHook, address: string): HookRequest {
  const url = new URL(address);
  if (!hook.buildCache) url.searchParams.set('buildCache', 'false');
  return { method: 'POST', url: url.href, headers: {}, body: '' };
}

export function evaluateVercel(answer: HookAnswer, at: Date): Verdict {
  const verdict = evaluateStatus(answer, at);
  return verdict.outcome === 'delivered'
    ? { ...verdict, reference: readReference(answer.body, ['job', 'id']) }
    : verdict;
}
