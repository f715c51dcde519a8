import { z } from 'zod';
import { resourceRoutes } from '../resource-routes.ts';
import { coreErrors } from './errors.ts';
import { wireList } from '../wire.ts';
import { field, links, renderedText } from './field.ts';

const readOnly = true;
const themeStatus = z.enum(['active', 'inactive']);

/** The theme of the site, as requested by editors (`core/v2/themes`). */
export const theme = z
  .object({
    stylesheet: field('vem', z.string(), { description: 'Name of the theme', readOnly }),
    template: field('vem', z.string(), { description: 'Name of the parent theme', readOnly }),
    name: renderedText('vem', 'Display name'),
    description: renderedText('vem', 'Description'),
    is_block_theme: field('vem', z.boolean(), { description: 'Whether the theme is a block theme', readOnly }),
    textdomain: field('vem', z.string(), { description: 'Text domain of its translations', readOnly }),
    version: field('vem', z.string(), { description: 'Version', readOnly }),
    status: field('vem', themeStatus, { description: 'Status', readOnly }),
    theme_supports: field('vem', z.record(z.string(), z.unknown()), {
      description: 'Supported features',
      readOnly,
    }),
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
      query: z.object({ status: wireList(themeStatus).optional().meta({ description: 'Limit to these statuses' }) }),
      errors: coreErrors('rest_cannot_view_themes'),
    },
    get: { summary: 'A theme', errors: coreErrors('rest_cannot_view_themes', 'rest_theme_not_found') },
  },
);
