import { z } from 'zod';
import { wireBoolean, wireDateTime, wireInteger, wireList, wireText } from '../wire.ts';
import { PAGE_ACTIONS, POST_ACTIONS } from './errors.ts';
import { address, field, links, localDateTime, looseMap, looseTexts, protectedParts, renderedText } from './field.ts';
import { MAX_CONTENT_LENGTH, MAX_NAME_LENGTH, mapInput, textInput, titleInput, writeBody } from './write-body.ts';

export const postStatus = z.enum(['publish', 'future', 'draft', 'pending', 'private', 'auto-draft']);

/** Statuses for filters, including those that can't be written. */
export const postStatusFilter = z.enum([
  ...postStatus.exclude(['auto-draft']).options,
  'trash',
  'auto-draft',
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

/** Keys of a post's `meta`; each is a string, empty by default. */
export const POST_META_KEYS = ['_seo_focuskw', '_seo_title', '_seo_metadesc', 'footnotes'] as const;
export const PAGE_META_KEYS = ['footnotes'] as const;

const readOnly = true;

/** First fields of posts, pages and media, in response order. */
export const contentHead = {
  id: field('vem', z.int(), { description: 'Id', readOnly }),
  date: field('vem', localDateTime.nullable(), { description: 'Date of publication, in site time' }),
  date_gmt: field('ve', localDateTime.nullable(), { description: 'Date of publication, in UTC' }),
  guid: field(
    've',
    z.object({
      raw: field('e', z.string().optional(), { description: 'Stored form', readOnly }),
      rendered: field('ve', z.string(), { description: 'Displayed form', readOnly }),
    }),
    { description: 'Permanent identifier', readOnly },
  ),
  modified: field('ve', localDateTime, { description: 'Date of the last change, in site time', readOnly }),
  modified_gmt: field('ve', localDateTime, { description: 'Date of the last change, in UTC', readOnly }),
};

/** Identifying fields of posts, pages and media, in response order. */
export const contentIdentity = {
  slug: field('vem', z.string(), { description: 'Slug, unique within its type' }),
  status: field('ve', z.string().meta({ enum: postStatus.options }), { description: 'Status' }),
  type: field('vem', z.string(), { description: 'Content type', readOnly }),
  link: field('vem', address, { description: 'URL of the page', readOnly }),
  title: renderedText('vem', 'Title'),
};

const author = field('vem', z.int(), { description: 'Id of the author' });
const featuredMedia = field('vem', z.int(), { description: 'Id of the featured media item, 0 for none' });

const texts = {
  content: field(
    've',
    z.object({
      ...protectedParts('ve'),
      block_version: field('e', z.int().optional(), { description: 'Version of the block markup', readOnly }),
    }),
    { description: 'Content' },
  ),
  excerpt: field('vem', z.object(protectedParts('vem')), { description: 'Excerpt' }),
};

const password = field('e', z.string().optional(), { description: 'Password of content and excerpt' });

/** Shared fields of posts and pages, in response order. */
const head = { ...contentHead, password, ...contentIdentity, ...texts, author, featured_media: featuredMedia };

export const discussion = {
  comment_status: field('ve', openOrClosed, { description: 'Whether comments are open' }),
  ping_status: field('ve', openOrClosed, { description: 'Whether pings are open' }),
};

export const template = field('ve', z.string(), { description: 'Theme template' });

export const contentTail = {
  permalink_template: field('e', z.string().optional(), { description: 'URL pattern', readOnly }),
  generated_slug: field('e', z.string().optional(), { description: 'Slug made from the title', readOnly }),
  class_list: field('ve', looseTexts.optional(), { description: 'Class names of the element', readOnly }),
};

const meta = (keys: readonly string[]) =>
  field('ve', looseMap(z.unknown()).meta({ properties: Object.fromEntries(keys.map(describeText)) }), {
    description: 'Meta fields',
  });

function describeText(key: string) {
  return [key, { type: 'string', title: '', description: '', default: '' }];
}

const termIds = (what: string) => field('ve', z.array(z.int()), { description: `Ids of the ${what}` });

/** A post (`core/v2/posts`), section 2.1. */
export const post = z
  .object({
    ...head,
    ...discussion,
    sticky: field('ve', z.boolean(), { description: 'Whether the post is sticky' }),
    template,
    format: field('ve', z.string().meta({ enum: postFormat.options }), { description: 'Format' }),
    meta: meta(POST_META_KEYS),
    categories: termIds('categories'),
    tags: termIds('tags'),
    custom_fields_html: field('ve', z.string().optional(), {
      description: 'Custom fields as HTML',
      readOnly,
      describedAs: false,
    }),
    ...contentTail,
    _links: links.optional(),
  })
  .meta({ title: 'post', actions: POST_ACTIONS });

/** A page (`core/v2/pages`), section 2.2. */
export const page = z
  .object({
    ...head,
    parent: field('ve', z.int(), { description: 'Id of the parent page, 0 for none' }),
    menu_order: field('ve', z.int(), { description: 'Position among siblings' }),
    ...discussion,
    template,
    meta: meta(PAGE_META_KEYS),
    ...contentTail,
    level: field('ve', z.int().optional(), {
      description: 'Depth in the hierarchy, in hierarchical collections',
      readOnly,
      describedAs: false,
    }),
    _links: links.optional(),
  })
  .meta({ title: 'page', actions: PAGE_ACTIONS });

const MAX_PASSWORD_LENGTH = 255;
/** Maximum of an integer column. */
const MAX_MENU_ORDER = 2 ** 31 - 1;

/** Minimum fields of a content type. */
export const contentFields = { ...head, ...discussion, template, ...contentTail, _links: links.optional() };

/** Writable fields of a content type. */
export const contentForms = {
  date: wireDateTime.nullable(),
  date_gmt: wireDateTime.nullable(),
  slug: wireText(MAX_NAME_LENGTH),
  status: postStatus,
  password: wireText(MAX_PASSWORD_LENGTH),
  title: titleInput,
  content: textInput(MAX_CONTENT_LENGTH),
  author: wireInteger(),
  excerpt: textInput(),
  featured_media: wireInteger(),
  comment_status: openOrClosed,
  ping_status: openOrClosed,
  template: z.string(),
};

export const postBody = writeBody(post, {
  ...contentForms,
  meta: mapInput,
  format: postFormat,
  sticky: wireBoolean,
  categories: wireList(wireInteger()),
  tags: wireList(wireInteger()),
});

export const pageBody = writeBody(page, {
  ...contentForms,
  meta: mapInput,
  parent: wireInteger(),
  menu_order: wireInteger({ minimum: -MAX_MENU_ORDER, maximum: MAX_MENU_ORDER }),
});

export type Post = z.output<typeof post>;
export type Page = z.output<typeof page>;
