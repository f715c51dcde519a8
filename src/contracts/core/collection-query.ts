import { z } from 'zod';
import { wireBoolean, wireDateTime, wireForms, wireInteger, wireList, wireText } from '../wire.ts';
import { context } from './field.ts';
import { mediaStatusFilter, mediaType } from './media.ts';
import { postFormat, postStatusFilter } from './post.ts';
import { MAX_NAME_LENGTH } from './write-body.ts';

export const MAX_PER_PAGE = 100;
export const DEFAULT_PER_PAGE = 10;

const ids = wireList(wireInteger());

/** Parameters that are checked before all others: when one of them is wrong, nothing is said of the rest. */
const checkedFirst = true;

const shownContext = context.default('view').meta({ description: 'Which fields are shown', checkedFirst });

/** What every list of the core namespace takes. */
export const pagedQuery = z.object({
  context: shownContext,
  page: wireInteger({ minimum: 1 }).default(1).meta({ description: 'Page of the list', checkedFirst }),
  per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE })
    .default(DEFAULT_PER_PAGE)
    .meta({ description: 'Rows on a page', checkedFirst }),
  search: wireText(MAX_NAME_LENGTH)
    .trim()
    .optional()
    .meta({ description: 'Only rows that hold these words', checkedFirst }),
  exclude: ids.default([]).meta({ description: 'Not these ids' }),
  include: ids.default([]).meta({ description: 'Only these ids' }),
  offset: wireInteger().optional().meta({ description: 'Rows to skip; replaces page' }),
});

const order = z.enum(['asc', 'desc']);
const slugs = wireList(z.string()).optional().meta({ description: 'Only these slugs' });

/** Section 4.1: what lists of posts, pages and media share. */
const contentQuery = pagedQuery.extend({
  after: wireDateTime.optional().meta({ description: 'Published after' }),
  modified_after: wireDateTime.optional().meta({ description: 'Changed after' }),
  author: ids.default([]).meta({ description: 'Only of these authors' }),
  author_exclude: ids.default([]).meta({ description: 'Not of these authors' }),
  before: wireDateTime.optional().meta({ description: 'Published before' }),
  modified_before: wireDateTime.optional().meta({ description: 'Changed before' }),
  search_semantics: z.enum(['exact']).optional().meta({ description: 'How the words of search are compared' }),
  order: order.default('desc').meta({ description: 'Direction of the order' }),
  search_columns: wireList(z.enum(['post_title', 'post_content', 'post_excerpt']))
    .default([])
    .meta({ description: 'Where search looks' }),
  slug: slugs,
});

const POST_ORDERS = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
] as const;

const orderedBy = { description: 'What the list is ordered by' };
/** The index prints the one default status as a text, as it may be sent. */
const statuses = (first: string) => ({ description: 'Only these statuses', default: first });

const termList = z.object({
  terms: ids.default([]).meta({ description: 'Term ids' }),
  operator: z.enum(['AND', 'OR']).default('OR').meta({ description: 'Whether all of them or any of them' }),
});
const withChildren = {
  include_children: wireBoolean.default(false).meta({ description: 'Whether the terms below them count too' }),
};

/** A list of term ids, or an object that says more. */
const termFilter = <T extends z.ZodObject>(object: T) =>
  wireForms(
    ids.meta({ title: 'Term ID List', description: 'Ids of the terms' }),
    object.meta({ title: 'Term ID Taxonomy Query', description: 'Ids of the terms and how to take them' }),
  ).optional();

/** What lists of content are ordered and filtered by, unless a kind says more. */
const arranged = {
  orderby: z.enum(POST_ORDERS).default('date').meta(orderedBy),
  status: wireList(postStatusFilter).default(['publish']).meta(statuses('publish')),
};

/** What lists of a kind of content take at the least. */
export const contentListQuery = contentQuery.extend(arranged);

export const navigationMenuQuery = contentListQuery.omit({ author: true, author_exclude: true });

export const postQuery = contentListQuery.extend({
  tax_relation: z.enum(['AND', 'OR']).optional().meta({ description: 'How the filters by term combine' }),
  categories: termFilter(termList.extend(withChildren).strict()).meta({ description: 'Only with these categories' }),
  categories_exclude: termFilter(termList.omit({ operator: true }).extend(withChildren).strict()).meta({
    description: 'Not with these categories',
  }),
  tags: termFilter(termList.strict()).meta({ description: 'Only with these tags' }),
  tags_exclude: termFilter(termList.omit({ operator: true }).strict()).meta({
    description: 'Not with these tags',
  }),
  sticky: wireBoolean.optional().meta({ description: 'Only sticky posts, or only others' }),
  ignore_sticky: wireBoolean.default(true).meta({ description: 'Whether sticky posts stay in their place' }),
  format: wireList(postFormat, { unique: true }).optional().meta({ description: 'Only these formats' }),
});

export const pageQuery = contentQuery.extend({
  orderby: z
    .enum([...POST_ORDERS, 'menu_order'])
    .default('date')
    .meta(orderedBy),
  status: wireList(postStatusFilter).default(['publish']).meta(statuses('publish')),
  parent: ids.default([]).meta({ description: 'Only children of these pages' }),
  parent_exclude: ids.default([]).meta({ description: 'Not children of these pages' }),
  menu_order: wireInteger().optional().meta({ description: 'Only with this place in the menu' }),
  orderby_hierarchy: wireBoolean
    .default(false)
    .meta({ description: 'Children right behind their parent, with their level' }),
});

/** The index prints that nothing is taken when nothing is sent. */
const noDefault = { default: null };

export const mediaQuery = contentQuery.extend({
  orderby: z.enum(POST_ORDERS).default('date').meta(orderedBy),
  status: wireList(mediaStatusFilter).default(['inherit']).meta(statuses('inherit')),
  parent: ids.default([]).meta({ description: 'Only attached to these posts' }),
  parent_exclude: ids.default([]).meta({ description: 'Not attached to these posts' }),
  media_type: wireList(mediaType).optional().meta({ description: 'Only these kinds', describedAs: noDefault }),
  mime_type: wireList(z.string()).optional().meta({ description: 'Only these MIME types', describedAs: noDefault }),
});

/** Lists of revisions hold all of them unless `per_page` says otherwise. */
export const revisionQuery = pagedQuery.extend({
  per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE })
    .optional()
    .meta({ description: 'Rows on a page; all of them unless it is given', checkedFirst }),
  order: order.default('desc').meta({ description: 'Direction of the order' }),
  orderby: z
    .enum(['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'])
    .default('date')
    .meta(orderedBy),
});

/** Lists of icons are paged on demand: editors that know no pages get all icons, as from other servers. */
export const iconQuery = pagedQuery.pick({ context: true, page: true, search: true }).extend({
  per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE })
    .optional()
    .meta({
      description: 'Rows on a page; all of them unless this or page is given',
      checkedFirst,
      describedAs: { default: DEFAULT_PER_PAGE },
    }),
});

export const tagQuery = pagedQuery.extend({
  order: order.default('asc').meta({ description: 'Direction of the order' }),
  orderby: z
    .enum(['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'])
    .default('name')
    .meta(orderedBy),
  hide_empty: wireBoolean.default(false).meta({ description: 'Leave out terms without posts' }),
  post: wireInteger().optional().meta({ description: 'Only terms of this post' }),
  slug: slugs,
});

/** Lists of categories know no offset. */
export const categoryQuery = tagQuery.omit({ offset: true }).extend({
  parent: wireInteger().optional().meta({ description: 'Only children of this category' }),
});

export const userQuery = pagedQuery.extend({
  order: order.default('asc').meta({ description: 'Direction of the order' }),
  orderby: z
    .enum(['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'])
    .default('name')
    .meta(orderedBy),
  slug: slugs,
  roles: wireList(z.string()).optional().meta({ description: 'Only with these roles' }),
  capabilities: wireList(z.string()).optional().meta({ description: 'Only with these rights' }),
  who: z.enum(['authors']).optional().meta({ description: 'Only those who may write' }),
  has_published_posts: z
    .union([wireBoolean, wireList(z.string())])
    .optional()
    .meta({ description: 'Only those who have published' }),
  search_columns: wireList(z.enum(['email', 'name', 'id', 'username', 'slug']))
    .default([])
    .meta({ description: 'Where search looks' }),
});

/** An item of any kind. */
export const itemQuery = z.object({ context: shownContext });

/** What a route that deletes takes. */
export const deletionQuery = z.object({
  force: wireBoolean.default(false).meta({ description: 'Whether it is deleted for good' }),
});

export const postItemQuery = itemQuery.extend({
  excerpt_length: wireInteger().optional().meta({ description: 'Words of a generated excerpt' }),
  password: z.string().optional().meta({ description: 'Password of a protected post' }),
});
