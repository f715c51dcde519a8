import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/field.ts';
import { MAX_PER_PAGE } from '../core/collection-query.ts';
import { readRoute, writeRoute } from '../route.ts';
import { wireInteger, wireList, wireText } from '../wire.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_KEYPHRASE_LENGTH, MAX_TITLE_LENGTH } from './head-values.ts';

/** Post statuses of the bulk editor. */
export const BULK_STATUSES = ['publish', 'draft', 'pending', 'future'] as const;
/** Fields that the bulk editor can filter for improvement. */
export const BULK_FIELDS = ['seo_title', 'meta_description', 'social_title', 'social_description'] as const;
export type BulkField = (typeof BULK_FIELDS)[number];
export const MAX_BULK_ITEMS = 20;

const positiveId = wireInteger({ minimum: 1 });

export const listBulkContent = readRoute('seo/v1/bulk_editor/posts_content', 'user', {
  summary: "Stored content of items; items that the current user can't edit are omitted",
  query: z.object({
    ids: z
      .preprocess(
        (sent) => (typeof sent === 'string' ? sent.split(/[\s,]+/).filter((id) => id !== '') : sent),
        z.array(positiveId).min(1).max(MAX_BULK_ITEMS),
      )
      .describe('Ids of the items'),
  }),
  response: z.object({ posts: z.array(z.object({ id: z.int(), content: z.string() })) }),
});

const row = z.object({
  id: z.int(),
  title: z.string(),
  status: z.string(),
  edit_link: z.string(),
  focus_keyphrase: z.string(),
  seo_title: z.string(),
  meta_description: z.string(),
  social_title: z.string(),
  social_description: z.string(),
  /** Template that applies to an empty value. */
  seo_title_fallback: z.string(),
  meta_description_fallback: z.string(),
  social_title_fallback: z.string(),
  social_description_fallback: z.string(),
  editable: z.boolean(),
  needs_improvement: z.object({
    seo_title: z.boolean(),
    meta_description: z.boolean(),
    social_title: z.boolean(),
    social_description: z.boolean(),
  }),
});
export type BulkRow = z.output<typeof row>;

export const listBulkPosts = readRoute('seo/v1/bulk_editor/posts', 'user', {
  summary: 'Items of a content type with their metadata, newest first',
  query: z.object({
    content_type: wireText(MAX_NAME_LENGTH).describe('Type of content'),
    per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE }).default(20).describe('Items per page'),
    page: wireInteger({ minimum: 1, maximum: 1_000_000 }).default(1).describe('Page of the collection'),
    search: wireText(MAX_NAME_LENGTH).default('').describe('Limit to items with this text in title or metadata'),
    status: wireList(z.enum(BULK_STATUSES))
      .default([...BULK_STATUSES])
      .describe('Limit to these statuses'),
    needs_improvement: wireList(z.enum(BULK_FIELDS))
      .default([])
      .describe('Limit to items where one of these fields needs improvement'),
    include: wireList(positiveId, { most: 100 }).default([]).describe('Limit to these ids'),
  }),
  response: z.object({
    posts: z.array(row),
    total: z.int(),
    total_pages: z.int(),
    page: z.int(),
    per_page: z.int(),
  }),
  errors: { rest_invalid_content_type: 400 },
});

const id = z.int().describe('Id of the item');
const keyphrase = wireText(MAX_KEYPHRASE_LENGTH).optional();
const title = wireText(MAX_TITLE_LENGTH).optional();
const description = wireText(MAX_DESCRIPTION_LENGTH).optional();
const score = z.int().min(0).max(100).optional();

const itemsOf = <T extends z.ZodObject>(item: T) =>
  z.object({
    items: z.array(item).min(1).max(MAX_BULK_ITEMS).describe('Items with new values; an empty text clears a value'),
  });
/** Result of an update of an item. */
const result = z.object({
  id: z.int(),
  success: z.boolean(),
  error: z.enum(['not_found', 'invalid_post_type', 'forbidden', 'save_failed']).optional(),
  /** Values as rendered on the page. */
  rendered: z.object({ seo_title: z.string(), meta_description: z.string() }).optional(),
  /** Values as stored. */
  sanitized: z.object({ focus_keyphrase: z.string() }).optional(),
});
export type BulkResult = z.output<typeof result>;
/** Results in request order. */
const results = z.object({ results: z.array(result) });

export const updateBulkSearch = writeRoute('seo/v1/bulk_editor/update_search', {
  summary: 'Updates the search metadata of items; reports failed items',
  body: itemsOf(z.object({ id, seo_title: title, meta_description: description, focus_keyphrase: keyphrase })),
  response: results,
});
export const updateBulkSocial = writeRoute('seo/v1/bulk_editor/update_social', {
  summary: 'Updates the social metadata of items; reports failed items',
  body: itemsOf(z.object({ id, social_title: title, social_description: description, focus_keyphrase: keyphrase })),
  response: results,
});
export const updateBulkScores = writeRoute('seo/v1/bulk_editor/update_scores', {
  summary: 'Updates title and description scores of items; reports failed items',
  body: itemsOf(z.object({ id, seo_title_score: score, meta_description_score: score })),
  response: results,
});
