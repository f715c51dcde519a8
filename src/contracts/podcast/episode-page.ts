import type { z } from 'zod';
import { contentAutosave, contentRevision } from '../core/revision.ts';
import { contentRoutes } from '../core/routes.ts';
import { PAGE_META_KEYS, page, post, postBody } from '../core/post.ts';
import { POST_ACTIONS } from '../core/errors.ts';
import { contentListQuery, postItemQuery, postQuery } from '../core/collection-query.ts';

/** Minimum digits of a number. */
const NUMBER_WIDTH = 3;

/**
 * Returns the short name of an episode, such as `WN007`; `WN000` without a number, `007` without the podcast's short
 * name.
 */
export function episodeMnemonic(podcastMnemonic: string | undefined, number: number | undefined): string {
  return `${podcastMnemonic ?? ''}${String(number ?? 0).padStart(NUMBER_WIDTH, '0')}`;
}

export interface EpisodeNames {
  /** Title of its page. */
  pageTitle: string;
  /** Title without number and podcast name. */
  cleanTitle?: string | undefined;
  number?: number | undefined;
  podcastMnemonic?: string | undefined;
}

/** Returns the displayed title: that of the page or, if titles are generated, `WN007 Moisture`. */
export function displayTitle(
  { pageTitle, cleanTitle, number, podcastMnemonic }: EpisodeNames,
  isGenerated: boolean,
): string {
  if (!isGenerated) return pageTitle;
  return `${episodeMnemonic(podcastMnemonic, number)} ${cleanTitle || pageTitle}`;
}

/** Returns the copyright notice of the podcast, for its record and feed. */
export function copyrightLine(
  {
    copyright,
    author,
    title,
  }: { copyright?: string | undefined; author?: string | undefined; title?: string | undefined },
  year: number,
): string {
  return copyright || `© ${year} ${author || title || ''}`.trimEnd();
}

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
  query: contentListQuery.extend(postQuery.pick({ tax_relation: true, tags: true, tags_exclude: true }).shape),
  itemQuery: postItemQuery.omit({ excerpt_length: true }),
  body: postBody.omit(LEFT_OUT),
});
