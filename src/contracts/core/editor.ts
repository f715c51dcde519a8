import { z } from 'zod';
import { resourceRoutes, readRoute } from '../route.ts';
import { coreErrors } from './errors.ts';
import { iconQuery, itemQuery, tagQuery } from './collection-query.ts';
import { readOnlyField, links, renderedText } from './field.ts';
import { tag } from './site-resources.ts';
import { wireList } from '../wire.ts';

/** An http(s) URL. */
const webAddress = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text))
  .meta({ format: 'uri', description: 'Address of the page' });

export const getUrlDetails = readRoute('block-editor/v1/url-details', 'user', {
  summary: 'Metadata of an external page',
  query: z.object({ url: webAddress }),
  response: z.object({ title: z.string(), icon: z.string(), description: z.string(), image: z.string() }),
  errors: { rest_cannot_view_url_details: 'denied', no_response: 404 },
});
export const exportSite = readRoute('block-editor/v1/export', 'user', {
  summary: 'Templates and theme files of the site',
  response: z.object({ name: z.string(), files: z.record(z.string(), z.string()) }),
  errors: { rest_cannot_export_templates: 'denied' },
});
export const getNavigationFallback = readRoute('block-editor/v1/navigation-fallback', 'user', {
  summary: 'Default navigation menu; created if there is none',
  response: z.object({ id: z.int().describe('Id of the menu'), _links: links.optional() }),
  errors: { rest_cannot_create: 'denied' },
});
export const getEditorSettings = readRoute('block-editor/v1/settings', 'user', {
  summary: 'Settings for the block editor',
  response: z.looseObject({ alignWide: z.boolean(), allowedMimeTypes: z.record(z.string(), z.string()) }),
  errors: { rest_cannot_read_block_editor_settings: 'denied' },
});
export const getEditorAssets = readRoute('block-editor/v1/assets', 'user', {
  summary: 'Styles and scripts for previews in the editor',
  response: z.object({ styles: z.string(), scripts: z.string() }),
  errors: { rest_cannot_read_block_editor_assets: 'denied' },
});

const themeStatus = z.enum(['active', 'inactive']);

/** The theme of the site, as requested by editors (`core/v2/themes`). */
export const theme = z
  .object({
    stylesheet: readOnlyField('vem', z.string(), 'Name of the theme'),
    template: readOnlyField('vem', z.string(), 'Name of the parent theme'),
    name: renderedText('vem', 'Display name'),
    description: renderedText('vem', 'Description'),
    is_block_theme: readOnlyField('vem', z.boolean(), 'Whether the theme is a block theme'),
    textdomain: readOnlyField('vem', z.string(), 'Text domain of its translations'),
    version: readOnlyField('vem', z.string(), 'Version'),
    status: readOnlyField('vem', themeStatus, 'Status'),
    theme_supports: readOnlyField('vem', z.record(z.string(), z.unknown()), 'Supported features'),
    _links: links.optional(),
  })
  .meta({ title: 'theme' });

export const { list: listThemes, get: getTheme } = resourceRoutes(
  {
    path: 'core/v2/themes',
    params: z.object({
      stylesheet: z
        .string()
        .meta({ description: 'Name of the theme', capture: String.raw`[^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?` }),
    }),
    access: 'user',
    resource: theme,
  },
  {
    list: {
      summary: 'Themes; always one active theme',
      query: z.object({ status: wireList(themeStatus).optional().describe('Limit to these statuses') }),
      errors: coreErrors('rest_cannot_view_themes'),
    },
    get: { summary: 'A theme', errors: coreErrors('rest_cannot_view_themes', 'rest_theme_not_found') },
  },
);

/** Taxonomies that editors request on every site. This site has no terms of either. */
export const listMenus = readRoute('core/v2/menus', 'user', {
  summary: 'Classic navigation menus; always empty',
  query: tagQuery,
  response: z.array(tag),
  errors: coreErrors('rest_cannot_view'),
});
export const listPatternCategories = readRoute('core/v2/wp_pattern_category', 'public', {
  summary: 'Categories of user patterns; always empty',
  query: tagQuery,
  response: z.array(tag),
  errors: coreErrors('rest_forbidden_context', 'rest_post_invalid_id'),
});

export const icon = z
  .object({
    name: readOnlyField('vem', z.string(), 'Collection and name'),
    label: readOnlyField('vem', z.string(), 'Display name'),
    content: readOnlyField('vem', z.string(), 'The icon, as SVG'),
    collection: readOnlyField('vem', z.string(), 'Slug of the collection'),
  })
  .meta({ title: 'icon' });

export const iconCollection = z
  .object({
    slug: readOnlyField('vem', z.string(), 'Slug'),
    label: readOnlyField('vem', z.string(), 'Display name'),
    description: readOnlyField('vem', z.string(), 'Description'),
  })
  .meta({ title: 'icon-collection' });

const texts = (description: string) =>
  readOnlyField('vem', z.array(z.string()).optional(), description, { describedAs: { items: undefined } });

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
    name: readOnlyField('vem', z.string(), 'Name'),
    title: readOnlyField('vem', z.string(), 'Display name'),
    content: readOnlyField('vem', z.string(), 'Block markup'),
    description: readOnlyField('vem', z.string().optional(), 'Description'),
    viewport_width: readOnlyField('vem', z.number().optional(), 'Preview width in pixels'),
    inserter: readOnlyField('vem', z.boolean().optional(), 'Whether the pattern is visible in the inserter'),
    categories: texts('Categories'),
    keywords: texts('Keywords'),
    block_types: texts('Block types that the pattern can replace'),
    post_types: texts('Post types of the pattern'),
    template_types: texts('Template types of the pattern'),
    source: readOnlyField('vem', z.string().meta({ enum: PATTERN_SOURCES }).optional(), 'Source'),
  })
  .meta({ title: 'block-pattern' });

export type BlockPattern = z.output<typeof blockPattern>;

export const blockPatternCategory = z
  .object({
    name: readOnlyField('vem', z.string(), 'Name'),
    label: readOnlyField('vem', z.string(), 'Display name'),
    description: readOnlyField('vem', z.string().optional(), 'Description'),
  })
  .meta({ title: 'block-pattern-category' });

const SLUG = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';
/** Path parameters aren't validated: an unknown name is not found rather than invalid. */
const captured = (pattern: string, description: string) => z.string().meta({ pattern, description });

const collection = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/)
  .optional()
  .describe('Limit to this collection');

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
export const listIconsOfCollection = readRoute('core/v2/icons/<collection>', 'user', {
  summary: 'Icons of a collection',
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
export const listBlockPatterns = readRoute('core/v2/block-patterns/patterns', 'user', {
  summary: 'Block patterns',
  response: z.array(blockPattern),
  errors: coreErrors('rest_cannot_view'),
});
export const listBlockPatternCategories = readRoute('core/v2/block-patterns/categories', 'user', {
  summary: 'Block pattern categories',
  response: z.array(blockPatternCategory),
  errors: coreErrors('rest_cannot_view'),
});
