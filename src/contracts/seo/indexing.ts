import { z } from 'zod';
import { route } from '../route.ts';

const text = z.string().nullable();
const number = z.int().nullable();
const flag = z.boolean().nullable();

/** The record of something that has a head, as the routes that build records tell it. */
export const indexable = z
  .object({
    id: z.int(),
    object_id: number.meta({ description: 'Id of the row in its own table; null for pages of the site itself' }),
    object_type: z.enum(['post', 'term', 'user', 'home-page', 'post-type-archive', 'date-archive', 'system-page']),
    object_sub_type: text.meta({ description: 'Type of content, taxonomy, `404` or `search-result`' }),
    author_id: number,
    post_parent: number,
    post_status: text,
    blog_id: z.int().meta({ description: 'Always 1: there is one site' }),
    has_ancestors: z.boolean(),
    has_public_posts: flag.meta({ description: 'Of authors; null for others' }),
    language: text.meta({ description: 'Always null: texts have no language of their own' }),
    region: text.meta({ description: 'Always null' }),
    version: z.int().meta({ description: 'Of the way in which records are made' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    object_published_at: z.iso.datetime().nullable(),
    object_last_modified: z.iso.datetime().nullable(),
    permalink: text,
    permalink_hash: text.meta({ description: 'Length and MD5 of the permalink' }),
    title: text,
    description: text,
    breadcrumb_title: text,
    canonical: text,
    is_public: flag.meta({ description: 'Whether search engines may list it; null where nobody said' }),
    is_protected: z.boolean(),
    is_cornerstone: z.boolean(),
    is_robots_noindex: flag,
    is_robots_nofollow: flag,
    is_robots_noarchive: flag,
    is_robots_noimageindex: flag,
    is_robots_nosnippet: flag,
    primary_focus_keyword: text,
    primary_focus_keyword_score: number,
    prominent_words_version: number.meta({ description: 'Always null: prominent words are not kept' }),
    readability_score: number,
    inclusive_language_score: number,
    seo_title_score: number,
    meta_description_score: number,
    open_graph_title: text,
    open_graph_description: text,
    open_graph_image: text,
    open_graph_image_id: text,
    open_graph_image_source: text.meta({ description: '`set-by-user` where editors chose the picture' }),
    open_graph_image_meta: text.meta({ description: 'Always null: measures are those of the media item' }),
    twitter_title: text,
    twitter_description: text,
    twitter_image: text,
    twitter_image_id: text,
    twitter_image_source: text.meta({ description: '`set-by-user` where editors chose the picture' }),
    schema_page_type: text,
    schema_article_type: text,
    link_count: number,
    incoming_link_count: number,
    number_of_pages: number,
    estimated_reading_time_minutes: number,
  })
  .meta({ title: 'seo-indexable' });

export type Indexable = z.output<typeof indexable>;

/** Steps of building records, by the end of their paths; with how many things one call takes. */
const STEPS = {
  'indexing/prepare': { summary: 'Begins to build the records that are missing', batch: 0 },
  'indexing/terms': { summary: 'Builds records of terms that have none', batch: 25 },
  'indexing/posts': { summary: 'Builds records of content that has none', batch: 25 },
  'indexing/post-type-archives': { summary: 'Builds records of the lists of kinds of content', batch: 25 },
  'indexing/general': { summary: 'Builds records of pages of the site itself', batch: 4 },
  'indexing/indexables-complete': { summary: 'Says that all records are built', batch: 0 },
  'link-indexing/posts': { summary: 'Counts the links in content in which none were counted', batch: 5 },
  'link-indexing/terms': { summary: 'Counts the links in terms in which none were counted', batch: 5 },
  'indexing/complete': { summary: 'Says that records and links are built', batch: 0 },
} as const;

function step<const Name extends keyof typeof STEPS>(name: Name) {
  const { summary, batch } = STEPS[name];
  return {
    batch,
    route: route({
      method: 'POST',
      path: `seo/v1/${name}`,
      summary,
      access: 'user',
      errors: { seo_error_indexing: 500 },
      response: z.object({
        objects: z.array(indexable),
        next_url: z
          .union([z.string(), z.literal(false)])
          .meta({ description: 'Address to call again, as long as there may be more' }),
      }),
    }),
  };
}

/** Routes that build what the records of the site lack, in the order in which clients call them. */
export const INDEXING = {
  prepare: step('indexing/prepare'),
  terms: step('indexing/terms'),
  content: step('indexing/posts'),
  archives: step('indexing/post-type-archives'),
  general: step('indexing/general'),
  recordsComplete: step('indexing/indexables-complete'),
  contentLinks: step('link-indexing/posts'),
  termLinks: step('link-indexing/terms'),
  complete: step('indexing/complete'),
} as const;
