import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';

/** Those who manage the site: it is much work for a server, and files may go. */
export function permitRegeneration({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options')) throw refuse('rest_forbidden', 'Only users who manage the site may do this.');
}
