import type { SeoSetting } from '#contracts/seo/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Right } from '#origin/platform/registry/rights.ts';

/** Rules of a route that needs one of some rights. */
export function needs(...rights: readonly [Right, ...Right[]]): { permit(call: AnyCall): void } {
  return {
    permit({ caller, refuse }) {
      if (rights.some((right) => can(caller, right))) return;
      throw refuse('rest_forbidden', `This needs the right ${rights.join(' or ')}.`);
    },
  };
}

/** Rules of what is for those who manage how the site is found. */
export const forManagers = needs('seo_manage_options');
/** Rules of what is for everybody who writes. */
export const forWriters = needs('edit_posts');

/** Settings of a page that send readers and search engines elsewhere. */
export const STEERING: ReadonlySet<string> = new Set<SeoSetting>(['index', 'canonical', 'redirect']);

/** Whether somebody may set these: what a site shows at its addresses is not up to each author. */
export function maySteer(caller: Caller): boolean {
  return can(caller, 'edit_others_posts') || can(caller, 'seo_manage_options');
}
