import type { listMenus } from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { collection, type AnswerOf, type AnyCall } from '#origin/platform/http/transport/index.ts';

/** Menus are for who sets up the site. */
export function permitMenus({ caller, refuse }: AnyCall<'rest_cannot_view'>): void {
  if (!can(caller, 'edit_theme_options')) throw refuse('rest_cannot_view', 'You may not see menus.');
}

/** A list of terms of a kind that the site has none of. */
export function answerNoTerms(
  call: AnyCall & { query: { page: number; per_page: number } },
): AnswerOf<typeof listMenus> {
  return collection([], 0, { page: call.query.page, perPage: call.query.per_page });
}
