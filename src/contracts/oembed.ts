import { z } from 'zod';
import { route } from './route.ts';
import { wireBoolean } from './wire.ts';

export const DEFAULT_EMBED_WIDTH = 600;

/** How something can be shown inside another page (https://oembed.com). */
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

const url = z.string().meta({ format: 'uri', description: 'Address of what is to be embedded' });

/** Read like a number, whatever is sent. */
const width = z.unknown().default(DEFAULT_EMBED_WIDTH);

export const getEmbed = route({
  method: 'GET',
  path: 'oembed/1.0/embed',
  summary: 'How a post, a page or a media item of this site is embedded; as XML with `format=xml`',
  access: 'public',
  query: z.object({ url, format: z.unknown().default('json'), maxwidth: width }),
  response: embed,
  errors: { oembed_invalid_url: 404 },
});

export const getProxiedEmbed = route({
  method: 'GET',
  path: 'oembed/1.0/proxy',
  summary: 'How something of any site is embedded',
  access: 'user',
  query: z.object({
    url,
    format: z.enum(['json', 'xml']).default('json').meta({ description: 'Format to ask the other site for' }),
    maxwidth: width.meta({ type: 'integer', description: 'Greatest width in pixels' }),
    maxheight: z.unknown().optional().meta({ type: 'integer', description: 'Greatest height in pixels' }),
    discover: wireBoolean.default(true).meta({ description: 'Whether the other site is asked at all' }),
  }),
  // The interface reports neither for a bare file.
  response: embed.partial({ version: true, type: true }),
  errors: { oembed_invalid_url: 404 },
});
