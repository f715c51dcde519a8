import { z } from 'zod';
import { pagingQuery } from '../core/collection-query.ts';
import { isWebAddress, MAX_ADDRESS_LENGTH } from '../podcast/shared-schemas.ts';
import { readRoute } from '../route.ts';
import { wireDateTime } from '../wire.ts';
import { seoSettings, VERIFICATION_KEYS } from './settings.ts';

const line = z.string().optional();
const verification = Object.fromEntries(VERIFICATION_KEYS.map((key) => [key, line])) as Record<
  (typeof VERIFICATION_KEYS)[number],
  typeof line
>;

const headImage = z.object({
  width: z.int().optional(),
  height: z.int().optional(),
  url: z.string(),
  type: z.string().optional(),
});

/** Metadata of a page by tag name. Empty values are missing. */
export const headJson = z
  .object({
    title: line,
    description: line,
    robots: z.record(z.string(), z.string()).optional(),
    canonical: line,
    prev: line,
    next: line,
    og_locale: line,
    og_type: line,
    og_title: line,
    og_description: line,
    og_url: line,
    og_site_name: line,
    article_publisher: line,
    article_author: line,
    article_published_time: line,
    article_modified_time: line,
    og_image: z.array(headImage).optional(),
    author: line,
    twitter_card: line,
    twitter_title: line,
    twitter_description: line,
    twitter_image: line,
    twitter_creator: line,
    twitter_site: line,
    twitter_misc: z.record(z.string(), z.string()).optional(),
    schema: z.object({ '@context': z.string(), '@graph': z.array(z.record(z.string(), z.unknown())) }).optional(),
    ...verification,
  })
  .meta({ title: 'seo-head' });

export type HeadJson = z.output<typeof headJson>;

export const getHead = readRoute('seo/v1/get_head', 'public', {
  summary: 'Metadata of a page of the site, as JSON and HTML',
  query: z.object({
    url: z
      .string()
      // No specific error code: the response names only the parameter.
      .refine((text) => text.length <= MAX_ADDRESS_LENGTH && isWebAddress(text))
      .meta({ format: 'uri', description: 'Absolute URL of the page' }),
  }),
  response: z.object({ html: z.string(), json: headJson, status: z.int() }),
});

/** A page head in a collection. */
export const listedHead = z
  .object({
    type: z.string().describe('Type of content, taxonomy, `user`, `home`, or `archive`'),
    subtype: z.string().describe('Content type of an archive; otherwise empty'),
    id: z.int().describe('Id of the object; 0 for pages of the site itself'),
    url: z.string(),
    modified: z.iso.datetime().describe('Last change of the metadata'),
    head: headJson,
    settings: z.object({
      is_cornerstone: seoSettings.shape.is_cornerstone.unwrap(),
      breadcrumb_title: z.string(),
      redirect: z.string(),
    }),
  })
  .meta({ title: 'seo-listed-head' });

export type ListedHead = z.output<typeof listedHead>;

/** Lists page heads. An extension of the interface: other servers return one head per request. */
export const listHeads = readRoute('seo/v1/heads', 'public', {
  summary: 'Metadata of all public pages',
  query: pagingQuery.extend({
    modified_after: wireDateTime.optional().describe('Limit to heads changed after this date'),
  }),
  errors: { rest_post_invalid_page_number: 400 },
  response: z.array(listedHead),
});
