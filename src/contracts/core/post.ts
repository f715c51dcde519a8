import { z } from 'zod';
import { wireBoolean, wireDateTime, wireInteger, wireList, wireText } from '../wire.ts';
import { PAGE_ACTIONS, POST_ACTIONS } from './actions.ts';
import { address, field, links, localDateTime, looseMap, looseTexts, protectedParts, renderedText } from './field.ts';
import { MAX_CONTENT_LENGTH, MAX_NAME_LENGTH, writtenMap, writtenText, writtenTitle, writeBody } from './write-body.ts';

export const postStatus = z.enum(['publish', 'future', 'draft', 'pending', 'private', 'auto-draft']);
export type PostStatus = z.infer<typeof postStatus>;

/** What a list may be filtered by, beyond the statuses that can be written. */
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

/** Keys of a post's `meta`; each is a text that is empty by default. */
export const POST_META_KEYS = ['_seo_focuskw', '_seo_title', '_seo_metadesc', 'footnotes'] as const;
export const PAGE_META_KEYS = ['footnotes'] as const;

const readOnly = true;

/** What posts, pages and media begin with, in wire order. */
export const contentHead = {
  id: field('vem', z.int(), { description: 'Id of the row', readOnly }),
  date: field('vem', localDateTime.nullable(), { description: 'When it was or will be published, site time' }),
  date_gmt: field('ve', localDateTime.nullable(), { description: 'The same in UTC' }),
  guid: field(
    've',
    z.object({
      raw: field('e', z.string().optional(), { description: 'As it is stored', readOnly }),
      rendered: field('ve', z.string(), { description: 'As it is shown', readOnly }),
    }),
    { description: 'An address that never changes', readOnly },
  ),
  modified: field('ve', localDateTime, { description: 'When it was last changed, site time', readOnly }),
  modified_gmt: field('ve', localDateTime, { description: 'The same in UTC', readOnly }),
};

/** What tells posts, pages and media apart from each other, in wire order. */
export const contentIdentity = {
  slug: field('vem', z.string(), { description: 'Name in the address, unique within its kind' }),
  status: field('ve', z.string().meta({ enum: postStatus.options }), { description: 'Status' }),
  type: field('vem', z.string(), { description: 'Kind of content', readOnly }),
  link: field('vem', address, { description: 'Address of its page', readOnly }),
  title: renderedText('vem', 'Title'),
};

const author = field('vem', z.int(), { description: 'Id of the author' });
const featuredMedia = field('vem', z.int(), { description: 'Id of the media item that stands for it, 0 for none' });

const texts = {
  content: field(
    've',
    z.object({
      ...protectedParts('ve'),
      block_version: field('e', z.int().optional(), { description: 'Version of its block markup', readOnly }),
    }),
    { description: 'Content' },
  ),
  excerpt: field('vem', z.object(protectedParts('vem')), { description: 'Excerpt' }),
};

const password = field('e', z.string().optional(), { description: 'Password that guards content and excerpt' });

/** What posts and pages share, in wire order up to where they part. */
const head = { ...contentHead, password, ...contentIdentity, ...texts, author, featured_media: featuredMedia };

export const discussion = {
  comment_status: field('ve', openOrClosed, { description: 'Whether comments are open' }),
  ping_status: field('ve', openOrClosed, { description: 'Whether pings are open' }),
};

export const template = field('ve', z.string(), { description: 'Template of the theme that shows it' });

export const contentTail = {
  permalink_template: field('e', z.string().optional(), { description: 'Pattern of its address', readOnly }),
  generated_slug: field('e', z.string().optional(), { description: 'Slug made from the title', readOnly }),
  class_list: field('ve', looseTexts.optional(), { description: 'Class names of its element', readOnly }),
};

const meta = (keys: readonly string[]) =>
  field('ve', looseMap(z.unknown()).meta({ properties: Object.fromEntries(keys.map(describeText)) }), {
    description: 'Values by name',
  });

function describeText(key: string) {
  return [key, { type: 'string', title: '', description: '', default: '' }];
}

const termIds = (what: string) => field('ve', z.array(z.int()), { description: `Ids of its ${what}` });

/** A post (`core/v2/posts`), section 2.1. */
export const post = z
  .object({
    ...head,
    ...discussion,
    sticky: field('ve', z.boolean(), { description: 'Whether it stays on top' }),
    template,
    format: field('ve', z.string().meta({ enum: postFormat.options }), { description: 'Format' }),
    meta: meta(POST_META_KEYS),
    categories: termIds('categories'),
    tags: termIds('tags'),
    custom_fields_html: field('ve', z.string().optional(), {
      description: 'Its custom fields as HTML',
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
    parent: field('ve', z.int(), { description: 'Id of the page above it, 0 for none' }),
    menu_order: field('ve', z.int(), { description: 'Place among its siblings' }),
    ...discussion,
    template,
    meta: meta(PAGE_META_KEYS),
    ...contentTail,
    level: field('ve', z.int().optional(), {
      description: 'Depth, in lists ordered by hierarchy',
      readOnly,
      describedAs: false,
    }),
    _links: links.optional(),
  })
  .meta({ title: 'page', actions: PAGE_ACTIONS });

const MAX_PASSWORD_LENGTH = 255;
/** As far as the store counts. */
const MAX_PLACE = 2 ** 31 - 1;

/** The fields that a kind of content has at the least, beside its own. */
export const contentFields = { ...head, ...discussion, template, ...contentTail, _links: links.optional() };

/** What may be written of them, in the forms in which the wire takes it. */
export const contentForms = {
  date: wireDateTime.nullable(),
  date_gmt: wireDateTime.nullable(),
  slug: wireText(MAX_NAME_LENGTH),
  status: postStatus,
  password: wireText(MAX_PASSWORD_LENGTH),
  title: writtenTitle,
  content: writtenText(MAX_CONTENT_LENGTH),
  author: wireInteger(),
  excerpt: writtenText(),
  featured_media: wireInteger(),
  comment_status: openOrClosed,
  ping_status: openOrClosed,
  template: z.string(),
};

export const postBody = writeBody(post, {
  ...contentForms,
  meta: writtenMap,
  format: postFormat,
  sticky: wireBoolean,
  categories: wireList(wireInteger()),
  tags: wireList(wireInteger()),
});

export const pageBody = writeBody(page, {
  ...contentForms,
  meta: writtenMap,
  parent: wireInteger(),
  menu_order: wireInteger({ minimum: -MAX_PLACE, maximum: MAX_PLACE }),
});

export type Post = z.output<typeof post>;
export type Page = z.output<typeof page>;
