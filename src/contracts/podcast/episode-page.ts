import type { z } from 'zod';
import { contentAutosave, contentRevision } from '../core/revision.ts';
import { contentRoutes } from '../core/routes.ts';
import { PAGE_META_KEYS, page, post, postBody } from '../core/post.ts';
import { POST_ACTIONS } from '../core/actions.ts';
import { postItemQuery, postQuery } from '../core/collection-query.ts';

/** Content type of episode pages, as used in rows and paths. */
export const EPISODE_PAGE_TYPE = 'podcast';
export const EPISODE_PAGE_META_KEYS = PAGE_META_KEYS;

/** Fields of posts that episode pages lack. */
const LEFT_OUT = { excerpt: true, sticky: true, format: true, categories: true } as const;
const ACTIONS = POST_ACTIONS.filter(({ name }) => name !== 'sticky' && !name.endsWith('categories'));

/**
 * The page of an episode (`core/v2/episodes`): status, date, text, author, password and tags. Its id differs from that
 * of the episode. A new page creates an episode.
 */
export const episodePage = post
  .omit({ ...LEFT_OUT, custom_fields_html: true })
  .extend({ meta: page.shape.meta })
  .meta({ title: EPISODE_PAGE_TYPE, actions: ACTIONS });

export type EpisodePage = z.output<typeof episodePage>;

const meta = { meta: page.shape.meta };

export const episodePageRoutes = contentRoutes({
  path: 'core/v2/episodes',
  many: 'Pages of episodes',
  one: 'a page of an episode',
  resource: episodePage,
  revision: contentRevision(EPISODE_PAGE_TYPE, meta)
    .omit({ excerpt: true })
    .meta({ title: `${EPISODE_PAGE_TYPE}-revision` }),
  autosave: contentAutosave(EPISODE_PAGE_TYPE, meta)
    .omit({ excerpt: true })
    .meta({ title: `${EPISODE_PAGE_TYPE}-revision` }),
  query: postQuery.omit({
    categories: true,
    categories_exclude: true,
    sticky: true,
    ignore_sticky: true,
    format: true,
  }),
  itemQuery: postItemQuery.omit({ excerpt_length: true }),
  body: postBody.omit(LEFT_OUT),
});
