import { z } from 'zod';
import { wireBoolean, wireDateTime, wireForms, wireInteger, wireList, wireText } from '../wire.ts';
import { context, MAX_NAME_LENGTH } from './field.ts';
import { mediaStatusFilter, mediaType } from './media.ts';
import { postFormat, postStatusFilter } from './post.ts';

export const MAX_PER_PAGE = 100;
export const DEFAULT_PER_PAGE = 10;

const ids = wireList(wireInteger());

/** Marks parameters that are validated before all others. If one is invalid, only these are reported. */
const checkedFirst = true;

const shownContext = context.default('view').meta({ description: 'Scope of the returned fields', checkedFirst });

const pageSize = wireInteger({ minimum: 1, maximum: MAX_PER_PAGE });

/** Parameters of collections that respond with pages. */
export const pagingQuery = z.object({
  page: wireInteger({ minimum: 1 }).default(1).describe('Page of the collection'),
  per_page: pageSize.default(DEFAULT_PER_PAGE).describe('Items per page'),
});

/** Parameters of every collection of the core namespace. */
export const pagedQuery = z.object({
  context: shownContext,
  page: pagingQuery.shape.page.meta({ checkedFirst }),
  per_page: pagingQuery.shape.per_page.meta({ checkedFirst }),
  search: wireText(MAX_NAME_LENGTH)
    .trim()
    .optional()
    .meta({ description: 'Limit to items that match this search', checkedFirst }),
  exclude: ids.default([]).describe('Exclude these ids'),
  include: ids.default([]).describe('Limit to these ids'),
  offset: wireInteger().optional().describe('Number of items to skip; overrides page'),
});

const order = z.enum(['asc', 'desc']);
const slugs = wireList(z.string()).optional().describe('Limit to these slugs');

/** Shared parameters of posts, pages and media (section 4.1). */
const contentQuery = pagedQuery.extend({
  after: wireDateTime.optional().describe('Limit to items published after this date'),
  modified_after: wireDateTime.optional().describe('Limit to items modified after this date'),
  author: ids.default([]).describe('Limit to these authors'),
  author_exclude: ids.default([]).describe('Exclude these authors'),
  before: wireDateTime.optional().describe('Limit to items published before this date'),
  modified_before: wireDateTime.optional().describe('Limit to items modified before this date'),
  search_semantics: z.enum(['exact']).optional().describe('Matching mode of the search'),
  order: order.default('desc').describe('Sort direction'),
  search_columns: wireList(z.enum(['post_title', 'post_content', 'post_excerpt']))
    .default([])
    .describe('Fields to search'),
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

const sortKey = { description: 'Sort key' };
/** The index prints the single default status as a string. */
const statuses = (first: string) => ({ description: 'Limit to these statuses', default: first });

const termList = z.object({
  terms: ids.default([]).describe('Term ids'),
  operator: z.enum(['AND', 'OR']).default('OR').describe('Whether items must have all terms or any of them'),
});
const withChildren = {
  include_children: wireBoolean.default(false).describe('Whether to include child terms'),
};

/** A list of term ids, or an object with further conditions. */
const termFilter = <T extends z.ZodObject>(object: T) =>
  wireForms(
    ids.meta({ title: 'Term ID List', description: 'Ids of the terms' }),
    object.meta({ title: 'Term ID Taxonomy Query', description: 'Term ids with conditions' }),
  ).optional();

/** Default order and filter of content collections. */
const defaultArrangement = {
  orderby: z.enum(POST_ORDERS).default('date').meta(sortKey),
  status: wireList(postStatusFilter).default(['publish']).meta(statuses('publish')),
};

/** Minimum parameters of a content collection. */
export const contentListQuery = contentQuery.extend(defaultArrangement);

export const navigationMenuQuery = contentListQuery.omit({ author: true, author_exclude: true });

export const postQuery = contentListQuery.extend({
  tax_relation: z.enum(['AND', 'OR']).optional().describe('Relation between several term filters'),
  categories: termFilter(termList.extend(withChildren).strict()).describe('Limit to items with these categories'),
  categories_exclude: termFilter(termList.omit({ operator: true }).extend(withChildren).strict()).describe(
    'Exclude items with these categories',
  ),
  tags: termFilter(termList.strict()).describe('Limit to items with these tags'),
  tags_exclude: termFilter(termList.omit({ operator: true }).strict()).describe('Exclude items with these tags'),
  sticky: wireBoolean.optional().describe('Limit to sticky or to non-sticky posts'),
  ignore_sticky: wireBoolean.default(true).describe('Whether to ignore sticky posts in the order'),
  format: wireList(postFormat, { unique: true }).optional().describe('Limit to these formats'),
});

export const pageQuery = contentQuery.extend({
  orderby: z
    .enum([...POST_ORDERS, 'menu_order'])
    .default('date')
    .meta(sortKey),
  status: wireList(postStatusFilter).default(['publish']).meta(statuses('publish')),
  parent: ids.default([]).describe('Limit to children of these pages'),
  parent_exclude: ids.default([]).describe('Exclude children of these pages'),
  menu_order: wireInteger().optional().describe('Limit to pages with this menu order'),
  orderby_hierarchy: wireBoolean
    .default(false)
    .describe('Whether to list children directly after their parent, with their level'),
});

/** The index prints null as the default. */
const noDefault = { default: null };

export const mediaQuery = contentQuery.extend({
  orderby: z.enum(POST_ORDERS).default('date').meta(sortKey),
  status: wireList(mediaStatusFilter).default(['inherit']).meta(statuses('inherit')),
  parent: ids.default([]).describe('Limit to media attached to these posts'),
  parent_exclude: ids.default([]).describe('Exclude media attached to these posts'),
  media_type: wireList(mediaType)
    .optional()
    .meta({ description: 'Limit to these media types', describedAs: noDefault }),
  mime_type: wireList(z.string()).optional().meta({ description: 'Limit to these MIME types', describedAs: noDefault }),
});

/** Collections of revisions are complete unless `per_page` is given. */
export const revisionQuery = pagedQuery.extend({
  per_page: pageSize.optional().meta({ description: 'Items per page; all items by default', checkedFirst }),
  order: order.default('desc').describe('Sort direction'),
  orderby: z
    .enum(['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'])
    .default('date')
    .meta(sortKey),
});

/** Collections of icons are complete unless paging is requested, because some editors don't request further pages. */
export const iconQuery = pagedQuery.pick({ context: true, page: true, search: true }).extend({
  per_page: pageSize.optional().meta({
    description: 'Items per page; all items unless this or page is set',
    checkedFirst,
    describedAs: { default: DEFAULT_PER_PAGE },
  }),
});

export const tagQuery = pagedQuery.extend({
  order: order.default('asc').describe('Sort direction'),
  orderby: z
    .enum(['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'])
    .default('name')
    .meta(sortKey),
  hide_empty: wireBoolean.default(false).describe('Whether to hide terms without posts'),
  post: wireInteger().optional().describe('Limit to terms of this post'),
  slug: slugs,
});

/** Collections of categories have no offset. */
export const categoryQuery = tagQuery.omit({ offset: true }).extend({
  parent: wireInteger().optional().describe('Limit to children of this category'),
});

export const userQuery = pagedQuery.extend({
  order: order.default('asc').describe('Sort direction'),
  orderby: z
    .enum(['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'])
    .default('name')
    .meta(sortKey),
  slug: slugs,
  roles: wireList(z.string()).optional().describe('Limit to users with these roles'),
  capabilities: wireList(z.string()).optional().describe('Limit to users with these capabilities'),
  who: z.enum(['authors']).optional().describe('Limit to users who can write posts'),
  has_published_posts: z
    .union([wireBoolean, wireList(z.string())])
    .optional()
    .describe('Limit to users with published posts'),
  search_columns: wireList(z.enum(['email', 'name', 'id', 'username', 'slug']))
    .default([])
    .describe('Fields to search'),
});

export const itemQuery = z.object({ context: shownContext });

export const deletionQuery = z.object({
  force: wireBoolean.default(false).describe('Whether to delete permanently instead of moving to the trash'),
});

export const postItemQuery = itemQuery.extend({
  excerpt_length: wireInteger().optional().describe('Number of words in a generated excerpt'),
  password: z.string().optional().describe('Password of a protected post'),
});
