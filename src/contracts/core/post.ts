import { z } from 'zod';
import { field, links, localDateTime, protectedText, rendered } from './field.ts';

export const postStatus = z.enum(['publish', 'future', 'draft', 'pending', 'private', 'auto-draft']);
export type PostStatus = z.infer<typeof postStatus>;

/** What a list may be filtered by, beyond the statuses that can be written. */
export const postStatusFilter = z.enum([
  ...postStatus.options,
  'trash',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  'any',
]);

export const postFormat = z.enum([
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
]);
export const openOrClosed = z.enum(['open', 'closed']);

/** Keys of a post's `meta`; each is a text that is empty by default. */
export const POST_META_KEYS = ['_seo_focuskw', '_seo_title', '_seo_metadesc', 'footnotes'] as const;
export const PAGE_META_KEYS = ['footnotes'] as const;

const meta = z
  .union([z.record(z.string(), z.unknown()), z.tuple([])])
  .transform((map) => (Array.isArray(map) ? {} : map));

/** What posts and pages share, in wire order up to where they part. */
const head = {
  id: field('vem', z.int()),
  date: field('vem', localDateTime.nullable()),
  date_gmt: field('ve', localDateTime.nullable()),
  guid: field('ve', rendered),
  modified: field('ve', localDateTime),
  modified_gmt: field('ve', localDateTime),
  password: field('e', z.string().optional()),
  slug: field('vem', z.string()),
  status: field('ve', z.string()),
  type: field('vem', z.string()),
  link: field('vem', z.string()),
  title: field('vem', rendered),
  content: field('ve', protectedText),
  excerpt: field('vem', protectedText),
  author: field('vem', z.int()),
  featured_media: field('vem', z.int()),
};

const discussion = { comment_status: field('ve', openOrClosed), ping_status: field('ve', openOrClosed) };

const tail = {
  permalink_template: field('e', z.string().optional()),
  generated_slug: field('e', z.string().optional()),
  class_list: field(
    've',
    z
      .union([z.array(z.string()), z.record(z.string(), z.string())])
      .transform((list) => Object.values(list))
      .optional(),
  ),
};

/** A post (`core/v2/posts`), section 2.1. */
export const post = z.object({
  ...head,
  ...discussion,
  sticky: field('ve', z.boolean()),
  template: field('ve', z.string()),
  format: field('ve', z.string()),
  meta: field('ve', meta),
  categories: field('ve', z.array(z.int())),
  tags: field('ve', z.array(z.int())),
  custom_fields_html: field('ve', z.string().optional()),
  ...tail,
  _links: links.optional(),
});

/** A page (`core/v2/pages`), section 2.2. */
export const page = z.object({
  ...head,
  parent: field('ve', z.int()),
  menu_order: field('ve', z.int()),
  ...discussion,
  template: field('ve', z.string()),
  meta: field('ve', meta),
  ...tail,
  level: field('ve', z.int().optional()),
  _links: links.optional(),
});

export type Post = z.output<typeof post>;
export type Page = z.output<typeof page>;
