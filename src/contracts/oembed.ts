import { z } from 'zod';
import { readRoute } from './route.ts';
import { wireBoolean } from './wire.ts';

export const DEFAULT_EMBED_WIDTH = 600;

/** oEmbed description of an embeddable resource (https://oembed.com). */
export const embed = z.looseObject({
  version: z.literal('1.0'),
  type: z.enum(['rich', 'video', 'photo', 'link']),
  provider_name: z.string().optional(),
  provider_url: z.string().optional(),
  author_name: z.string().optional(),
  author_url: z.string().optional(),
  title: z.string().optional(),
  width: z.number().nullable().optional(),
  height: z.number().nullable().optional(),
  html: z.string().optional(),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.number().optional(),
  thumbnail_height: z.number().optional(),
});

export type Embed = z.output<typeof embed>;

const url = z.string().meta({ format: 'uri', description: 'URL of the resource to embed' });

/** Any value; parsed as a number. */
const width = z.unknown().default(DEFAULT_EMBED_WIDTH);

export const getEmbed = readRoute('oembed/1.0/embed', 'public', {
  summary: 'oEmbed data of a post, page or media item of this site; XML with `format=xml`',
  query: z.object({ url, format: z.unknown().default('json'), maxwidth: width }),
  response: embed,
  errors: { oembed_invalid_url: 404 },
});

export const getProxiedEmbed = readRoute('oembed/1.0/proxy', 'user', {
  summary: 'oEmbed data of a resource on any site',
  query: z.object({
    url,
    format: z.enum(['json', 'xml']).default('json').describe('Format to request from the other site'),
    maxwidth: width.meta({ type: 'integer', description: 'Maximum width in pixels' }),
    maxheight: z.unknown().optional().meta({ type: 'integer', description: 'Maximum height in pixels' }),
    discover: wireBoolean.default(true).describe('Whether to query the other site'),
  }),
  // Missing for a bare file.
  response: embed.partial({ version: true, type: true }),
  errors: { oembed_invalid_url: 404 },
});
