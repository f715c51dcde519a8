import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { iconQuery, itemQuery } from './collection-query.ts';
import { field } from './field.ts';

const readOnly = true;

export const icon = z
  .object({
    name: field('vem', z.string(), { description: 'Collection and name', readOnly }),
    label: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    content: field('vem', z.string(), { description: 'The icon, as SVG', readOnly }),
    collection: field('vem', z.string(), { description: 'Collection it belongs to', readOnly }),
  })
  .meta({ title: 'icon' });

export const iconCollection = z
  .object({
    slug: field('vem', z.string(), { description: 'Name in addresses', readOnly }),
    label: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    description: field('vem', z.string(), { description: 'What is in it', readOnly }),
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

/** Blocks that an author starts from. */
export const blockPattern = z
  .object({
    name: field('vem', z.string(), { description: 'Name', readOnly }),
    title: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    content: field('vem', z.string(), { description: 'The blocks', readOnly }),
    description: field('vem', z.string().optional(), { description: 'What it is for', readOnly }),
    viewport_width: field('vem', z.number().optional(), { description: 'Width of its preview in pixels', readOnly }),
    inserter: field('vem', z.boolean().optional(), { description: 'Whether editors offer it', readOnly }),
    categories: texts('Categories it is found in'),
    keywords: texts('Other words it is found by'),
    block_types: texts('Kinds of blocks that it can stand for'),
    post_types: texts('Kinds of content it is for'),
    template_types: texts('Kinds of templates it fits into'),
    source: field('vem', z.string().meta({ enum: PATTERN_SOURCES }).optional(), {
      description: 'Where it comes from',
      readOnly,
    }),
  })
  .meta({ title: 'block-pattern' });

export type BlockPattern = z.output<typeof blockPattern>;

export const blockPatternCategory = z
  .object({
    name: field('vem', z.string(), { description: 'Name', readOnly }),
    label: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    description: field('vem', z.string().optional(), { description: 'What is in it', readOnly }),
  })
  .meta({ title: 'block-pattern-category' });

const SLUG = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';
/** What a path captures is looked up as it is: an unknown name is not found, rather than not valid. */
const captured = (pattern: string, description: string) => z.string().meta({ pattern, description });

const collection = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/)
  .optional()
  .meta({ description: 'Only of this collection' });

export const listIcons = route({
  method: 'GET',
  path: 'core/v2/icons',
  summary: 'Icons',
  access: 'user',
  query: iconQuery.extend({ collection }),
  response: z.array(icon),
  errors: coreErrors('rest_cannot_view', 'rest_icon_collection_not_found'),
});
export const listIconsOfCollection = route({
  method: 'GET',
  path: 'core/v2/icons/<collection>',
  summary: 'Icons of a collection',
  access: 'user',
  params: z.object({ collection: captured(SLUG, 'Name of the collection') }),
  query: iconQuery,
  response: z.array(icon),
  errors: coreErrors('rest_cannot_view', 'rest_icon_collection_not_found'),
});
export const getIcon = route({
  method: 'GET',
  path: 'core/v2/icons/<name>',
  summary: 'An icon',
  access: 'user',
  params: z.object({ name: captured(`${SLUG}/${SLUG}`, 'Collection and name') }),
  query: itemQuery,
  response: icon,
  errors: coreErrors('rest_cannot_view', 'rest_icon_not_found'),
});
export const listIconCollections = route({
  method: 'GET',
  path: 'core/v2/icon-collections',
  summary: 'Collections of icons',
  access: 'user',
  query: iconQuery,
  response: z.array(iconCollection),
  errors: coreErrors('rest_cannot_view'),
});
export const getIconCollection = route({
  method: 'GET',
  path: 'core/v2/icon-collections/<slug>',
  summary: 'A collection of icons',
  access: 'user',
  params: z.object({ slug: captured(SLUG, 'Name of the collection') }),
  query: itemQuery,
  response: iconCollection,
  errors: coreErrors('rest_cannot_view', 'rest_icon_collection_not_found'),
});
export const listBlockPatterns = route({
  method: 'GET',
  path: 'core/v2/block-patterns/patterns',
  summary: 'Blocks that authors start from',
  access: 'user',
  response: z.array(blockPattern),
  errors: coreErrors('rest_cannot_view'),
});
export const listBlockPatternCategories = route({
  method: 'GET',
  path: 'core/v2/block-patterns/categories',
  summary: 'Categories of such blocks',
  access: 'user',
  response: z.array(blockPatternCategory),
  errors: coreErrors('rest_cannot_view'),
});
