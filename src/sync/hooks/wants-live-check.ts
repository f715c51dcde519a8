import type { HookOptions } from '#config/hook-options.ts';

/**
 * Whether the site is asked what it shows before a hook is told. By default only where the target does nothing but
 * build the site, and not on this machine: there, a server that hangs would slow every sync and a developer's own
 * build would keep the real one from being made.
 */
export function wantsLiveCheck(
  { type, skipIfLive }: Pick<HookOptions, 'type' | 'skipIfLive'>,
  siteUrl: string,
): boolean {
  if (skipIfLive !== undefined) return skipIfLive;
  return type !== 'generic' && type !== 'command' && !isLoopback(new URL(siteUrl).hostname);
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
