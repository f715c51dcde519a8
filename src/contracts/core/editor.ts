import { z } from 'zod';
import { resourceRoutes } from '../resource-routes.ts';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { iconQuery, itemQuery, tagQuery } from './collection-query.ts';
import { field } from './field.ts';
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

const readOnly = true;

export const icon = z
  .object({
    name: field('vem', z.string(), { description: 'Collection and name', readOnly }),
    label: field('vem', z.string(), { description: 'Display name', readOnly }),
    content: field('vem', z.string(), { description: 'The icon, as SVG', readOnly }),
    collection: field('vem', z.string(), { description: 'Slug of the collection', readOnly }),
  })
  .meta({ title: 'icon' });

export const iconCollection = z
  .object({
    slug: field('vem', z.string(), { description: 'Slug', readOnly }),
    label: field('vem', z.string(), { description: 'Display name', readOnly }),
    description: field('vem', z.string(), { description: 'Description', readOnly }),
  })
  .meta({ title: 'icon-collection' });

const texts = (description: string) =>
  field('vem', z.array(z.string()).optional(), { description, readOnly, describedAs: { items: undefined } });

const PATTERN_SOURCES = [
  'core',
  'plugin',
  'theme',
  'pattern-directory/core',
  'pattern-directory/theme',
  'pattern-directory/featured',
];

/** A block pattern to start from. */
export const blockPattern = z
  .object({
    name: field('vem', z.string(), { description: 'Name', readOnly }),
    title: field('vem', z.string(), { description: 'Display name', readOnly }),
    content: field('vem', z.string(), { description: 'Block markup', readOnly }),
    description: field('vem', z.string().optional(), { description: 'Description', readOnly }),
    viewport_width: field('vem', z.number().optional(), { description: 'Preview width in pixels', readOnly }),
    inserter: field('vem', z.boolean().optional(), {
      description: 'Whether the pattern is visible in the inserter',
      readOnly,
    }),
    categories: texts('Categories'),
    keywords: texts('Keywords'),
    block_types: texts('Block types that the pattern can replace'),
    post_types: texts('Post types of the pattern'),
    template_types: texts('Template types of the pattern'),
    source: field('vem', z.string().meta({ enum: PATTERN_SOURCES }).optional(), {
      description: 'Source',
      readOnly,
    }),
  })
  .meta({ title: 'block-pattern' });

export type BlockPattern = z.output<typeof blockPattern>;

export const blockPatternCategory = z
  .object({
    name: field('vem', z.string(), { description: 'Name', readOnly }),
    label: field('vem', z.string(), { description: 'Display name', readOnly }),
    description: field('vem', z.string().optional(), { description: 'Description', readOnly }),
  })
  .meta({ title: 'block-pattern-category' });

const SLUG = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';
/** Path parameters aren't validated: an unknown name is not found rather than invalid. */
const captured = (pattern: string, description: string) => z.string().meta({ pattern, description });

const collection = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/)
  .optional()
  .meta({ description: 'Limit to this collection' });

const ICON_ERRORS = coreErrors('rest_cannot_view', 'rest_icon_collection_not_found');

export const { list: listIcons, get: getIcon } = resourceRoutes(
  {
    path: 'core/v2/icons',
    params: z.object({ name: captured(`${SLUG}/${SLUG}`, 'Collection and name') }),
    access: 'user',
    resource: icon,
  },
  {
    list: { summary: 'Icons', query: iconQuery.extend({ collection }), errors: ICON_ERRORS },
    get: { summary: 'An icon', query: itemQuery, errors: coreErrors('rest_cannot_view', 'rest_icon_not_found') },
  },
);
export const listIconsOfCollection = route({
  method: 'GET',
  path: 'core/v2/icons/<collection>',
  summary: 'Icons of a collection',
  access: 'user',
  params: z.object({ collection: captured(SLUG, 'Name of the collection') }),
  query: iconQuery,
  response: z.array(icon),
  errors: ICON_ERRORS,
});
export const { list: listIconCollections, get: getIconCollection } = resourceRoutes(
  {
    path: 'core/v2/icon-collections',
    params: z.object({ slug: captured(SLUG, 'Name of the collection') }),
    access: 'user',
    resource: iconCollection,
  },
  {
    list: { summary: 'Collections of icons', query: iconQuery, errors: coreErrors('rest_cannot_view') },
    get: { summary: 'A collection of icons', query: itemQuery, errors: ICON_ERRORS },
  },
);
export const listBlockPatterns = route({
  method: 'GET',
  path: 'core/v2/block-patterns/patterns',
  summary: 'Block patterns',
  access: 'user',
  response: z.array(blockPattern),
  errors: coreErrors('rest_cannot_view'),
});
export const listBlockPatternCategories = route({
  method: 'GET',
  path: 'core/v2/block-patterns/categories',
  summary: 'Block pattern categories',
  access: 'user',
  response: z.array(blockPatternCategory),
  errors: coreErrors('rest_cannot_view'),
});
