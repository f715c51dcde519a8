import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { wireList } from '../wire.ts';
import { field, links, renderedText } from './field.ts';

const readOnly = true;
const themeStatus = z.enum(['active', 'inactive']);

/** What the site looks like, as far as editors ask for it (`core/v2/themes`). */
export const theme = z
  .object({
    stylesheet: field('vem', z.string(), { description: 'Name of the theme', readOnly }),
    template: field('vem', z.string(), { description: 'Name of the theme it builds on', readOnly }),
    name: renderedText('vem', 'Name that is shown'),
    description: renderedText('vem', 'What it is'),
    is_block_theme: field('vem', z.boolean(), { description: 'Whether it is made of templates', readOnly }),
    textdomain: field('vem', z.string(), { description: 'Name of its translations', readOnly }),
    version: field('vem', z.string(), { description: 'Version', readOnly }),
    status: field('vem', themeStatus, { description: 'Whether it is in use', readOnly }),
    theme_supports: field('vem', z.record(z.string(), z.unknown()), {
      description: 'What editors may offer',
      readOnly,
    }),
    _links: links.optional(),
  })
  .meta({ title: 'theme' });

export const listThemes = route({
  method: 'GET',
  path: 'core/v2/themes',
  summary: 'What the site looks like: one theme, in use',
  access: 'user',
  query: z.object({ status: wireList(themeStatus).optional().meta({ description: 'Only of these statuses' }) }),
  response: z.array(theme),
  errors: coreErrors('rest_cannot_view_themes'),
});
export const getTheme = route({
  method: 'GET',
  path: 'core/v2/themes/<stylesheet>',
  summary: 'A theme',
  access: 'user',
  params: z.object({
    stylesheet: z
      .string()
      .meta({ description: 'Name of the theme', capture: String.raw`[^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?` }),
  }),
  response: theme,
  errors: coreErrors('rest_cannot_view_themes', 'rest_theme_not_found'),
});
