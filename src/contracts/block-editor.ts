import { z } from 'zod';
import { links } from './core/index.ts';
import { route } from './route.ts';

/** An address that can be read over the web. */
const webAddress = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text))
  .meta({ format: 'uri', description: 'Address of the page' });

export const getUrlDetails = route({
  method: 'GET',
  path: 'block-editor/v1/url-details',
  summary: 'What a page anywhere says of itself',
  access: 'user',
  query: z.object({ url: webAddress }),
  response: z.object({ title: z.string(), icon: z.string(), description: z.string(), image: z.string() }),
  errors: { rest_cannot_view_url_details: 'denied', no_response: 404 },
});
export const exportSite = route({
  method: 'GET',
  path: 'block-editor/v1/export',
  summary: 'What authors start from, as files in a ZIP archive',
  access: 'user',
  response: z.object({ name: z.string(), files: z.record(z.string(), z.string()) }),
  errors: { rest_cannot_export_templates: 'denied' },
});
export const getNavigationFallback = route({
  method: 'GET',
  path: 'block-editor/v1/navigation-fallback',
  summary: 'The navigation menu that an editor starts from, made where there is none',
  access: 'user',
  response: z.object({ id: z.int().meta({ description: 'Id of the menu' }), _links: links.optional() }),
  errors: { rest_cannot_create: 'denied' },
});
export const getEditorSettings = route({
  method: 'GET',
  path: 'block-editor/v1/settings',
  summary: 'What an editor has to know of the site',
  access: 'user',
  response: z.looseObject({ alignWide: z.boolean(), allowedMimeTypes: z.record(z.string(), z.string()) }),
  errors: { rest_cannot_read_block_editor_settings: 'denied' },
});
export const getEditorAssets = route({
  method: 'GET',
  path: 'block-editor/v1/assets',
  summary: 'Styles and scripts that an editor loads to show content as the site does',
  access: 'user',
  response: z.object({ styles: z.string(), scripts: z.string() }),
  errors: { rest_cannot_read_block_editor_assets: 'denied' },
});
