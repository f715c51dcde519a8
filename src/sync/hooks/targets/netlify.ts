import type { HookOptions } from '#config/hook-options.ts';
import { MAX_GTINS, type CatalogueChanged } from '../compose-message.ts';
import type { HookRequest, SentMessage } from './hook-target.ts';

type NetlifyHook = Extract<HookOptions, { type: 'netlify' }>;

const MAX_TITLE = 100;

/** The build finds the body in INCOMING_HOOK_BODY, so it holds what a build may ask for and is short. */
export function composeNetlifyRequest(hook: NetlifyHook, { id, event }: SentMessage, address: string): HookRequest {
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
  const what = [classes.join(', '), ...(gtins.length > 0 ? [gtins.length === 1 ? '1 product' : products] : [])];
  return [type, what.filter(Boolean).join('; ')].filter(Boolean).join(': ').slice(0, MAX_TITLE);
}
