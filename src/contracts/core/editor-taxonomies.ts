import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { tagQuery } from './collection-query.ts';
import { tag } from './term.ts';

/** Taxonomies that editors request on every site. This site has no terms of either. */
export const listMenus = route({
  method: 'GET',
  path: 'core/v2/menus',
  summary: 'Classic navigation menus; always empty',
  access: 'user',
  query: tagQuery,
  response: z.array(tag),
  errors: coreErrors('rest_cannot_view'),
});
export const listPatternCategories = route({
  method: 'GET',
  path: 'core/v2/wp_pattern_category',
  summary: 'Categories of user patterns; always empty',
  access: 'public',
  query: tagQuery,
  response: z.array(tag),
  errors: coreErrors('rest_forbidden_context', 'rest_post_invalid_id'),
});
