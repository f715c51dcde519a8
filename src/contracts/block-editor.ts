import { z } from 'zod';
import { links } from './core/field.ts';
import { route } from './route.ts';

/** An http(s) URL. */
const webAddress = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text))
  .meta({ format: 'uri', description: 'Address of the page' });

export const getUrlDetails = route({
  method: 'GET',
  path: 'block-editor/v1/url-details',
  summary: 'Metadata of an external page',
  access: 'user',
  query: z.object({ url: webAddress }),
  response: z.object({ title: z.string(), icon: z.string(), description: z.string(), image: z.string() }),
  errors: { rest_cannot_view_url_details: 'denied', no_response: 404 },
});
export const exportSite = route({
  method: 'GET',
  path: 'block-editor/v1/export',
  summary: 'Templates and theme files of the site',
  access: 'user',
  response: z.object({ name: z.string(), files: z.record(z.string(), z.string()) }),
  errors: { rest_cannot_export_templates: 'denied' },
});
export const getNavigationFallback = route({
  method: 'GET',
  path: 'block-editor/v1/navigation-fallback',
  summary: 'Default navigation menu; created if there is none',
  access: 'user',
  response: z.object({ id: z.int().meta({ description: 'Id of the menu' }), _links: links.optional() }),
  errors: { rest_cannot_create: 'denied' },
});
export const getEditorSettings = route({
  method: 'GET',
  path: 'block-editor/v1/settings',
  summary: 'Settings for the block editor',
  access: 'user',
  response: z.looseObject({ alignWide: z.boolean(), allowedMimeTypes: z.record(z.string(), z.string()) }),
  errors: { rest_cannot_read_block_editor_settings: 'denied' },
});
export const getEditorAssets = route({
  method: 'GET',
  path: 'block-editor/v1/assets',
  summary: 'Styles and scripts for previews in the editor',
  access: 'user',
  response: z.object({ styles: z.string(), scripts: z.string() }),
  errors: { rest_cannot_read_block_editor_assets: 'denied' },
});
