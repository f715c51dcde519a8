import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { tagQuery } from './collection-query.ts';
import { tag } from './term.ts';

/** Kinds of terms that editors ask for on every site; this one has none of either. */
export const listMenus = route({
  method: 'GET',
  path: 'core/v2/menus',
  summary: 'Navigation menus: none',
  access: 'user',
  query: tagQuery,
  response: z.array(tag),
  errors: coreErrors('rest_cannot_view'),
});
export const listPatternCategories = route({
  method: 'GET',
  path: 'core/v2/wp_pattern_category',
  summary: 'Categories of patterns that authors have kept: none',
  access: 'public',
  query: tagQuery,
  response: z.array(tag),
  errors: coreErrors('rest_forbidden_context', 'rest_post_invalid_id'),
});
