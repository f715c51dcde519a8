import type { HookOptions } from '#config/hook-options.ts';
import { MAX_GTINS, type CatalogueChanged } from '../compose-message.ts';
import {
  type HookResponse,
  type HookRequest,
  type DeliveryResult,
  evaluateStatus,
  readReference,
  readSuccess,
  type HookMessage,
} from './hook-target.ts';

const MAX_TITLE = 100;

/** Cloudflare deploy hooks take no payload. */
export function composeCloudflareRequest(url: string): HookRequest {
  return { method: 'POST', url, headers: {}, body: '' };
}

export function evaluateCloudflarePages(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at);
  if (verdict.outcome !== 'delivered') return verdict;
  if (readSuccess(answer.body) === false) return { outcome: 'failed', problem: `${answer.status}, but no success` };
  return { ...verdict, reference: readReference(answer.body, ['result', 'id']) };
}

/** Requires `success` in the response: only then was a build started. */
export function evaluateCloudflareWorkers(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at);
  if (verdict.outcome !== 'delivered') return verdict;
  if (readSuccess(answer.body) !== true) return { outcome: 'failed', problem: `${answer.status}, but no success` };
  return { ...verdict, reference: readReference(answer.body, ['result', 'build_uuid']) };
}

type NetlifyHook = Extract<HookOptions, { type: 'netlify' }>;

/** Keeps the body short, because the build reads it from INCOMING_HOOK_BODY. */
export function composeNetlifyRequest(hook: NetlifyHook, { id, event }: HookMessage, address: string): HookRequest {
  const url = new URL(address);
  if (hook.branch !== undefined) url.searchParams.set('trigger_branch', hook.branch);
  url.searchParams.set('trigger_title', titleOf(event));
  if (hook.clearCache) url.searchParams.set('clear_cache', 'true');
  const { runId, digest, classes } = event.data;
  return {
    method: 'POST',
    url: url.href,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, type: event.type, runId, digest, classes }),
  };
}

function titleOf({ type, data: { classes, gtins } }: CatalogueChanged): string {
  const products = `${gtins.length}${gtins.length === MAX_GTINS ? ' or more' : ''} products`;
  const details = [classes.join(', '), ...(gtins.length > 0 ? [gtins.length === 1 ? '1 product' : products] : [])];
  return [type, details.filter(Boolean).join('; ')].filter(Boolean).join(': ').slice(0, MAX_TITLE);
}

type VercelHook = Extract<HookOptions, { type: 'vercel' }>;

/** Vercel deploy hooks take no payload. */
export function composeVercelRequest(hook: VercelHook, address: string): HookRequest {
  const url = new URL(address);
  if (!hook.buildCache) url.searchParams.set('buildCache', 'false');
  return { method: 'POST', url: url.href, headers: {}, body: '' };
}

export function evaluateVercel(answer: HookResponse, at: Date): DeliveryResult {
  const verdict = evaluateStatus(answer, at);
  return verdict.outcome === 'delivered'
    ? { ...verdict, reference: readReference(answer.body, ['job', 'id']) }
    : verdict;
}
