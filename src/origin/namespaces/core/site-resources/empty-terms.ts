import { can } from '#origin/platform/http/callers/index.ts';
import { collection, refuse, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';

/** Menus are for who sets up the site. */
export function permitMenus({ caller }: AnyCall): void {
  if (!can(caller, 'edit_theme_options')) throw refuse(caller, 'rest_cannot_view', 'You may not see menus.');
}

/** A list of terms of a kind that the site has none of. */
export function answerNoTerms(call: AnyCall & { query: { page: number; per_page: number } }): Answer {
  return collection([], 0, { page: call.query.page, perPage: call.query.per_page });
}
