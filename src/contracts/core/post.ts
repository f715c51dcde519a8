import { z } from 'zod';
import { wireBoolean, wireDateTime, wireInteger, wireList, wireText } from '../wire.ts';
import { PAGE_ACTIONS, POST_ACTIONS, NAVIGATION_MENU_ACTIONS } from './errors.ts';
import {
  address,
  field,
  links,
  localDateTime,
  looseMap,
  looseTexts,
  protectedParts,
  renderedText,
  readOnlyField,
  MAX_CONTENT_LENGTH,
  MAX_NAME_LENGTH,
  mapInput,
  textInput,
  titleInput,
  writeBody,
} from './field.ts';

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

/** First fields of posts, pages and media, in response order. */
export const contentHead = {
  id: readOnlyField('vem', z.int(), 'Id'),
  date: field('vem', localDateTime.nullable(), 'Date of publication, in site time'),
  date_gmt: field('ve', localDateTime.nullable(), 'Date of publication, in UTC'),
  guid: readOnlyField(
    've',
    z.object({
      raw: readOnlyField('e', z.string().optional(), 'Stored form'),
      rendered: readOnlyField('ve', z.string(), 'Displayed form'),
    }),
    'Permanent identifier',
  ),
  modified: readOnlyField('ve', localDateTime, 'Date of the last change, in site time'),
  modified_gmt: readOnlyField('ve', localDateTime, 'Date of the last change, in UTC'),
};

/** Identifying fields of posts, pages and media, in response order. */
export const contentIdentity = {
  slug: field('vem', z.string(), 'Slug, unique within its type'),
  status: field('ve', z.string().meta({ enum: postStatus.options }), 'Status'),
  type: readOnlyField('vem', z.string(), 'Content type'),
  link: readOnlyField('vem', address, 'URL of the page'),
  title: renderedText('vem', 'Title'),
};

const author = field('vem', z.int(), 'Id of the author');
const featuredMedia = field('vem', z.int(), 'Id of the featured media item, 0 for none');

const texts = {
  content: field(
    've',
    z.object({
      ...protectedParts('ve'),
      block_version: readOnlyField('e', z.int().optional(), 'Version of the block markup'),
    }),
    'Content',
  ),
  excerpt: field('vem', z.object(protectedParts('vem')), 'Excerpt'),
};

const password = field('e', z.string().optional(), 'Password of content and excerpt');

/** Shared fields of posts and pages, in response order. */
const head = { ...contentHead, password, ...contentIdentity, ...texts, author, featured_media: featuredMedia };

export const discussion = {
  comment_status: field('ve', openOrClosed, 'Whether comments are open'),
  ping_status: field('ve', openOrClosed, 'Whether pings are open'),
};

export const template = field('ve', z.string(), 'Theme template');

export const contentTail = {
  permalink_template: readOnlyField('e', z.string().optional(), 'URL pattern'),
  generated_slug: readOnlyField('e', z.string().optional(), 'Slug made from the title'),
  class_list: readOnlyField('ve', looseTexts.optional(), 'Class names of the element'),
};

const meta = (keys: readonly string[]) =>
  field('ve', looseMap(z.unknown()).meta({ properties: Object.fromEntries(keys.map(describeText)) }), 'Meta fields');

function describeText(key: string) {
  return [key, { type: 'string', title: '', description: '', default: '' }];
}

const termIds = (what: string) => field('ve', z.array(z.int()), `Ids of the ${what}`);

/** A post (`core/v2/posts`), section 2.1. */
export const post = z
  .object({
    ...head,
    ...discussion,
    sticky: field('ve', z.boolean(), 'Whether the post is sticky'),
    template,
    format: field('ve', z.string().meta({ enum: postFormat.options }), 'Format'),
    meta: meta(POST_META_KEYS),
    categories: termIds('categories'),
    tags: termIds('tags'),
    custom_fields_html: readOnlyField('ve', z.string().optional(), 'Custom fields as HTML', { describedAs: false }),
    ...contentTail,
    _links: links.optional(),
  })
  .meta({ title: 'post', actions: POST_ACTIONS });

/** A page (`core/v2/pages`), section 2.2. */
export const page = z
  .object({
    ...head,
    parent: field('ve', z.int(), 'Id of the parent page, 0 for none'),
    menu_order: field('ve', z.int(), 'Position among siblings'),
    ...discussion,
    template,
    meta: meta(PAGE_META_KEYS),
    ...contentTail,
    level: readOnlyField('ve', z.int().optional(), 'Depth in the hierarchy, in hierarchical collections', {
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

/** Shared fields of revisions and autosaves. Their texts have no separate password. */
const revisionHead = {
  author: field('vem', z.int(), 'Id of the author'),
  date: field('vem', localDateTime, 'Date of the revision, in site time'),
  date_gmt: field('ve', localDateTime, 'Date of the revision, in UTC'),
  id: field('vem', z.int(), 'Id'),
  modified: field('ve', localDateTime, 'Date of the last change, in site time'),
  modified_gmt: field('ve', localDateTime, 'Date of the last change, in UTC'),
  parent: field('vem', z.int(), 'Id of the parent item'),
  slug: field('vem', z.string(), 'Slug; differs between revisions and autosaves'),
  guid: readOnlyField(
    've',
    z.object({
      rendered: readOnlyField('ve', z.string(), 'Displayed form'),
      raw: readOnlyField('e', z.string().optional(), 'Stored form'),
    }),
    'Permanent identifier',
  ),
  title: renderedText('vem', 'Title'),
  content: field('ve', post.shape.content.partial(), 'Content'),
};

/** Excerpt of revisions of content types that have one. */
export const revisedExcerpt = { excerpt: field('vem', post.shape.excerpt.partial(), 'Excerpt, as written') };

/**
 * Creates the schema of a revision (`core/v2/posts/<parent>/revisions`). @param fields additional fields of the content
 * type
 */
export function contentRevision<S extends z.ZodRawShape>(type: string, fields: S) {
  return z.object({ ...revisionHead, ...fields, _links: links.optional() }).meta({ title: `${type}-revision` });
}

/** Creates the schema of an autosave: unsaved input of a user. */
export function contentAutosave<S extends z.ZodRawShape>(revision: z.ZodObject<S>) {
  const address = z.string().meta({ format: 'uri' }).optional();
  return revision
    .extend({ preview_link: readOnlyField('e', address, 'Preview URL') })
    .meta({ title: revision.meta()?.title });
}

export const postRevision = contentRevision('post', { ...revisedExcerpt, meta: post.shape.meta });

const menuStatus = postStatus.exclude(['auto-draft']);

/** Also embedded, because editors edit menus in the place where they are shown. */
const embeddedRaw = field('em', z.string().optional(), 'Stored form');
const menuContent = post.shape.content.extend({
  raw: embeddedRaw,
  rendered: field('vem', post.shape.content.shape.rendered),
  block_version: field('em', post.shape.content.shape.block_version),
});

/** A navigation menu made of blocks (`core/v2/navigation`). Menus have no pages. */
export const navigationMenu = z
  .object({
    ...contentHead,
    password: post.shape.password,
    ...contentIdentity,
    status: field('vem', z.string().meta({ enum: menuStatus.options }), 'Status'),
    title: field('vem', post.shape.title.extend({ raw: embeddedRaw }), 'Title'),
    content: field('vem', menuContent, 'Block markup'),
    template,
    _links: links.optional(),
  })
  .meta({ title: 'wp_navigation', actions: NAVIGATION_MENU_ACTIONS });

export const navigationMenuBody = writeBody(navigationMenu, {
  date: wireDateTime.nullable(),
  date_gmt: wireDateTime.nullable(),
  slug: z.string(),
  status: menuStatus,
  password: z.string(),
  title: titleInput,
  content: textInput(MAX_CONTENT_LENGTH),
  template: z.string(),
});
