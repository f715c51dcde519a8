import type { SeoSetting } from '#contracts/seo/settings.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { Right } from '#origin/platform/registry/rights.ts';

/** Creates rules for routes that require one of these rights. */
export function requireRights(...rights: readonly [Right, ...Right[]]): { permit(call: AnyCall): void } {
  return {
    permit({ caller, refuse }) {
      if (rights.some((right) => can(caller, right))) return;
      throw refuse('rest_forbidden', `This requires the right ${rights.join(' or ')}.`);
    },
  };
}

/** Rules of routes for SEO managers. */
export const managerRules = requireRights('seo_manage_options');
/** Rules of routes for all users who write posts. */
export const writerRules = requireRights('edit_posts');

/** Settings of a page that redirect visitors or search engines. */
export const EDITOR_SETTINGS: ReadonlySet<string> = new Set<SeoSetting>(['index', 'canonical', 'redirect']);

/** True if the caller can change these settings. Authors can't: they affect the addresses of the site. */
export function canEditProtectedSettings(caller: Caller): boolean {
  return can(caller, 'edit_others_posts') || can(caller, 'seo_manage_options');
}
