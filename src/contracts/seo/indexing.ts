import { z } from 'zod';
import { route } from '../route.ts';

const text = z.string().nullable();
const number = z.int().nullable();
const flag = z.boolean().nullable();

/** Metadata record of an object with a page. */
export const indexable = z
  .object({
    id: z.int(),
    object_id: number.meta({ description: 'Id of the object; null for pages of the site itself' }),
    object_type: z.enum(['post', 'term', 'user', 'home-page', 'post-type-archive', 'date-archive', 'system-page']),
    object_sub_type: text.meta({ description: 'Type of content, taxonomy, `404` or `search-result`' }),
    author_id: number,
    post_parent: number,
    post_status: text,
    blog_id: z.int().meta({ description: 'Always 1' }),
    has_ancestors: z.boolean(),
    has_public_posts: flag.meta({ description: 'For authors only; otherwise null' }),
    language: text.meta({ description: 'Always null' }),
    region: text.meta({ description: 'Always null' }),
    version: z.int().meta({ description: 'Version of the record format' }),
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
    is_public: flag.meta({ description: 'Whether search engines may index the page; null if unset' }),
    is_protected: z.boolean(),
    is_cornerstone: z.boolean(),
    is_robots_noindex: flag,
    is_robots_nofollow: flag,
    is_robots_noarchive: flag,
    is_robots_noimageindex: flag,
    is_robots_nosnippet: flag,
    primary_focus_keyword: text,
    primary_focus_keyword_score: number,
    prominent_words_version: number.meta({ description: 'Always null: prominent words are not stored' }),
    readability_score: number,
    inclusive_language_score: number,
    seo_title_score: number,
    meta_description_score: number,
    open_graph_title: text,
    open_graph_description: text,
    open_graph_image: text,
    open_graph_image_id: text,
    open_graph_image_source: text.meta({ description: '`set-by-user` if an editor chose the image' }),
    open_graph_image_meta: text.meta({ description: 'Always null: see the media item' }),
    twitter_title: text,
    twitter_description: text,
    twitter_image: text,
    twitter_image_id: text,
    twitter_image_source: text.meta({ description: '`set-by-user` if an editor chose the image' }),
    schema_page_type: text,
    schema_article_type: text,
    link_count: number,
    incoming_link_count: number,
    number_of_pages: number,
    estimated_reading_time_minutes: number,
  })
  .meta({ title: 'seo-indexable' });

export type Indexable = z.output<typeof indexable>;

/** Indexing steps by path suffix, with the batch size of one call. */
const STEPS = {
  'indexing/prepare': { summary: 'Starts to build missing records', batch: 0 },
  'indexing/terms': { summary: 'Builds missing records of terms', batch: 25 },
  'indexing/posts': { summary: 'Builds missing records of content', batch: 25 },
  'indexing/post-type-archives': { summary: 'Builds missing records of archives', batch: 25 },
  'indexing/general': { summary: 'Builds missing records of general pages', batch: 4 },
  'indexing/indexables-complete': { summary: 'Marks all records as built', batch: 0 },
  'link-indexing/posts': { summary: 'Counts links in unprocessed content', batch: 5 },
  'link-indexing/terms': { summary: 'Counts links in unprocessed terms', batch: 5 },
  'indexing/complete': { summary: 'Marks records and links as built', batch: 0 },
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
          .meta({ description: 'URL of the next call, or false at the end' }),
      }),
    }),
  };
}

/** Routes that build missing records, in call order. */
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
