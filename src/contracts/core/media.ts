import { z } from 'zod';
import { field, links, localDateTime, rendered } from './field.ts';
import { openOrClosed } from './post.ts';

/** What a list of media may be filtered by. */
export const mediaStatusFilter = z.enum(['inherit', 'private', 'trash']);

/** Writable statuses of a medium. */
export const mediaStatus = z.enum(['publish', 'future', 'draft', 'pending', 'private']);

export const mediaType = z.enum(['image', 'video', 'text', 'application', 'audio']);

const imageSize = z.looseObject({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  filesize: z.int().optional(),
  mime_type: z.string(),
  source_url: z.string(),
});

export const mediaDetails = z.looseObject({
  width: z.int().optional(),
  height: z.int().optional(),
  file: z.string().optional(),
  filesize: z.int().optional(),
  sizes: z.union([z.record(z.string(), imageSize), z.tuple([])]).optional(),
});

/** A medium (`core/v2/media`), section 2.3. */
export const media = z.object({
  id: field('vem', z.int()),
  date: field('vem', localDateTime.nullable()),
  date_gmt: field('ve', localDateTime.nullable()),
  guid: field('ve', rendered),
  modified: field('ve', localDateTime),
  modified_gmt: field('ve', localDateTime),
  slug: field('vem', z.string()),
  status: field('ve', z.string()),
  type: field('vem', z.string()),
  link: field('vem', z.string()),
  title: field('vem', rendered),
  author: field('vem', z.int()),
  featured_media: field('vem', z.int().optional()),
  comment_status: field('ve', openOrClosed),
  ping_status: field('ve', openOrClosed),
  template: field('ve', z.string()),
  meta: field('ve', z.union([z.record(z.string(), z.unknown()), z.tuple([])])),
  permalink_template: field('e', z.string().optional()),
  generated_slug: field('e', z.string().optional()),
  class_list: field(
    've',
    z
      .union([z.array(z.string()), z.record(z.string(), z.string())])
      .transform((list) => Object.values(list))
      .optional(),
  ),
  description: field('ve', rendered),
  caption: field('vem', rendered),
  alt_text: field('vem', z.string()),
  media_type: field('vem', z.enum(['image', 'file'])),
  mime_type: field('vem', z.string()),
  media_details: field('vem', mediaDetails),
  post: field('ve', z.int().nullable()),
  source_url: field('vem', z.string()),
  missing_image_sizes: field('e', z.array(z.string()).optional()),
  filename: field('ve', z.string().optional()),
  filesize: field('ve', z.int().nullish()),
  _links: links.optional(),
});

export type Media = z.output<typeof media>;
