import { maskSecrets } from './mask-secrets.ts';
import type { HookRequest } from './targets/hook-target.ts';

/** A request as it may be shown. */
export type ShownRequest =
  | { method: string; url: string; headers: Record<string, string>; body: string }
  | { command: readonly string[]; body: string };

export interface ShowOptions {
  secrets: readonly string[];
  /** The address that is itself a secret: only its host is shown, and what was added to its query. */
  secretUrl?: string | undefined;
}

export function showRequest({ method, url, headers, body }: HookRequest, options: ShowOptions): ShownRequest {
  const { secrets, secretUrl } = options;
  const masked = Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value, secrets)]);
  return {
    method,
    url: secretUrl === undefined ? maskSecrets(url, secrets) : maskUrl(url, secretUrl),
    headers: Object.fromEntries(masked),
    body: maskSecrets(body, secrets),
  };
}

function maskHeader(name: string, value: string, secrets: readonly string[]): string {
  if (name === 'webhook-signature') return value.replaceAll(/v1,\S+/g, 'v1,***');
  return name === 'authorization' ? value.replace(/ .*/, ' ***') : maskSecrets(value, secrets);
}

function maskUrl(address: string, secretUrl: string): string {
  const url = new URL(address);
  for (const name of new URL(secretUrl).searchParams.keys()) url.searchParams.delete(name);
  return `${url.origin}/***${url.search}`;
}
