import { z } from 'zod';
import { resourceRoutes, route, readRoute, updateRoute } from '../route.ts';
import { MAX_LIST_ITEMS, wireBoolean, wireInteger } from '../wire.ts';
import { okResponse, episodeId, looseBoolean, looseInteger, NOT_FOUND } from './shared-schemas.ts';
import { chapterItem, chaptersInput } from './chapter.ts';
import { episode, episodeBody, episodeRow, episodeV1, episodeV1Body } from './episode.ts';
import { contentRevision, PAGE_META_KEYS, page, post, postBody } from '../core/post.ts';
import { contentRoutes } from '../core/routes.ts';
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

interface EpisodeNames {
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

const meta = { meta: page.shape.meta };
/** Fields of posts that episode pages lack. */
const LEFT_OUT = { excerpt: true, sticky: true, format: true, categories: true } as const;
const ACTIONS = POST_ACTIONS.filter(({ name }) => name !== 'sticky' && !name.endsWith('categories'));

/**
 * The page of an episode (`core/v2/episodes`): status, date, text, author, password and tags. Its id differs from that
 * of the episode. A new page creates an episode.
 */
export const episodePage = post
  .omit({ ...LEFT_OUT, custom_fields_html: true })
  .extend(meta)
  .meta({ title: EPISODE_PAGE_TYPE, actions: ACTIONS });

export type EpisodePage = z.output<typeof episodePage>;

export const episodePageRoutes = contentRoutes({
  path: 'core/v2/episodes',
  many: 'Pages of episodes',
  one: 'a page of an episode',
  resource: episodePage,
  revision: contentRevision(EPISODE_PAGE_TYPE, meta),
  query: contentListQuery.extend(postQuery.pick({ tax_relation: true, tags: true, tags_exclude: true }).shape),
  itemQuery: postItemQuery.omit({ excerpt_length: true }),
  body: postBody.omit(LEFT_OUT),
});

export const {
  list: listEpisodesV1,
  get: getEpisodeV1,
  update: updateEpisodeV1,
} = resourceRoutes(
  { path: 'podcast/v1/episodes', params: episodeId, access: 'public', resource: episodeV1 },
  {
    list: {
      summary: 'Published episodes, newest first',
      response: z.object({ results: z.array(episodeRow), _version: z.literal('v1') }),
    },
    get: { summary: 'An episode with chapters and page content', errors: NOT_FOUND },
    update: {
      summary: 'Updates the soundbite of an episode',
      body: episodeV1Body,
      response: z.null(),
      errors: NOT_FOUND,
    },
  },
);

/** `sort_by` is a column and `order_by` a direction, unlike in collections of core. */
const listQuery = z.object({
  status: z
    .enum(['publish', 'draft', 'all'])
    .default('publish')
    .describe('Limit to this status; `all` excludes the trash'),
  show: z.string().optional().describe('Limit to the show with this slug'),
  guid: z.string().optional().describe('Limit to the episode with this guid'),
  sort_by: z.enum(['post_id', 'post_date']).default('post_date').describe('Sort key'),
  order_by: z.enum(['asc', 'desc', 'ASC', 'DESC']).default('DESC').describe('Sort direction'),
});

export const {
  list: listEpisodes,
  get: getEpisode,
  create: createEpisode,
  update: updateEpisode,
  remove: deleteEpisode,
} = resourceRoutes(
  { path: 'podcast/v2/episodes', params: episodeId, access: 'public', resource: episode },
  {
    list: {
      summary: 'All episodes on one page; drafts only for editors',
      query: listQuery,
      response: z.object({ results: z.array(episodeRow), _version: z.literal('v2') }),
      errors: NOT_FOUND,
    },
    get: { summary: 'An episode', errors: NOT_FOUND },
    create: {
      summary: 'Creates an empty episode with a draft page',
      response: z.object({
        message: z.string(),
        location: z.string().describe('Path of the new episode'),
        id: looseInteger,
      }),
    },
    update: { summary: 'Updates an episode', body: episodeBody, response: okResponse, errors: NOT_FOUND },
    remove: {
      summary: 'Moves the page of an episode to the trash; the episode exists until the page is permanently deleted',
      response: okResponse,
      errors: NOT_FOUND,
    },
  },
);

const episodeRoute = { params: episodeId, errors: NOT_FOUND };

export const buildSlug = readRoute('podcast/v2/episodes/<id>/build_slug', 'user', {
  summary: 'Generates a slug from a title without storing it',
  ...episodeRoute,
  query: z.object({ title: z.string().optional().describe('Title; that of the episode by default') }),
  response: z.object({ slug: z.string() }),
});

const frozen = z.object({ status: z.literal('ok'), slug_frozen: z.boolean() });

export const freezeSlug = updateRoute('podcast/v2/episodes/<id>/freeze_slug', {
  summary: 'Freezes the slug of an episode',
  ...episodeRoute,
  response: frozen,
});
export const unfreezeSlug = updateRoute('podcast/v2/episodes/<id>/unfreeze_slug', {
  summary: 'Unfreezes the slug of an episode',
  ...episodeRoute,
  response: frozen,
});

const assetId = wireInteger().describe('Id of the asset');
const fileRoute = { params: episodeId.extend({ asset_id: assetId }), errors: NOT_FOUND };
const ok = z.literal('ok');

const existingFile = z.object({
  status: ok,
  file_size: looseInteger.nullable(),
  file_url: z.string(),
  active: looseBoolean,
  slug_frozen: z.boolean().optional(),
});
const missingFile = z.object({
  status: ok,
  message: z.string(),
  file_url: z.string().optional(),
  active: looseBoolean,
  slug_frozen: z.boolean().optional(),
});

export const listEpisodeMedia = readRoute('podcast/v2/episodes/<id>/media', 'public', {
  summary: 'The file of each asset of an episode',
  ...episodeRoute,
  // Documented parameters without an effect.
  query: z.object({
    asset_id: assetId.optional(),
    asset: z.string().optional(),
    file_url: z.string().optional(),
    enable: wireBoolean.optional(),
  }),
  response: z.object({
    _version: z.literal('v2'),
    results: z.array(
      z.discriminatedUnion('enable', [
        z.object({
          asset_id: looseInteger,
          asset: z.string(),
          url: z.string().describe('Address of the file'),
          size: looseInteger,
          enable: z.literal(true),
        }),
        z.object({ asset_id: looseInteger, asset: z.string(), enable: z.literal(false) }),
      ]),
    ),
  }),
});
export const enableEpisodeMedia = updateRoute('podcast/v2/episodes/<id>/media/<asset_id>/enable', {
  summary: 'Enables the file of an asset, and freezes the slug if the file exists',
  ...fileRoute,
  response: z.union([existingFile, missingFile]),
});
export const disableEpisodeMedia = updateRoute('podcast/v2/episodes/<id>/media/<asset_id>/disable', {
  summary: 'Disables the file of an asset',
  ...fileRoute,
  response: existingFile,
});
export const verifyEpisodeMedia = updateRoute('podcast/v2/episodes/<id>/media/<asset_id>/verify', {
  summary: 'Checks existence and size of the file of an asset, and freezes the slug if it exists',
  ...fileRoute,
  response: z.union([existingFile, missingFile]),
});

export const listEpisodeTags = readRoute('podcast/v2/episodes/<id>/tags', 'public', {
  summary: 'Tags of an episode, by name',
  ...episodeRoute,
  query: z.object({
    term_id: wireInteger().optional().describe('Limit to the tag with this id'),
    name: z.string().optional().describe('Limit to the tag with this name'),
  }),
  // Episodes without tags return the response of a write.
  response: z.union([
    z.object({
      _version: z.literal('v2'),
      tags: z.array(z.object({ term_id: looseInteger, name: z.string() })),
    }),
    z.object({ status: ok, tags: z.tuple([]) }),
  ]),
});
export const addEpisodeTags = updateRoute('podcast/v2/episodes/<id>/tags', {
  summary: 'Adds tags to an episode; unknown ids are skipped',
  ...episodeRoute,
  body: z.object({
    term_id: z
      .unknown()
      .transform(readIds)
      .optional()
      .meta({ description: 'Id of a tag, or a list of them', type: ['integer', 'array'], items: { type: 'integer' } }),
  }),
  response: okResponse,
});
export const removeEpisodeTags = route({
  method: 'DELETE',
  path: 'podcast/v2/episodes/<id>/tags',
  summary: 'Removes all tags of an episode, or one',
  access: 'user',
  ...episodeRoute,
  query: z.object({
    term_id: wireInteger().optional().describe('Id of the tag to remove; all tags by default'),
  }),
  response: okResponse,
});

/** Parses ids in any form; invalid ones are ignored, like ids without a tag. */
function readIds(sent: unknown): number[] {
  return [sent]
    .flat()
    .slice(0, MAX_LIST_ITEMS)
    .map((item) => wireInteger({ minimum: 1 }).safeParse(item))
    .flatMap(({ data }) => data ?? []);
}

const chapterBody = z.object({
  // Null is reported as a wrong type instead of as missing.
  chapters: chaptersInput.meta({ description: 'All chapters of the episode', refusesNull: true }),
});

const chaptersId = z.object({
  id: wireInteger().meta({ description: 'Id of the episode', describedAs: { required: true } }),
});

export const {
  get: getChapters,
  create: createChapters,
  update: replaceChapters,
  remove: deleteChapters,
} = resourceRoutes(
  { path: 'podcast/v2/chapters', params: chaptersId, access: 'public', resource: okResponse },
  {
    get: {
      summary: 'Chapters of an episode, in stored order',
      response: z.object({ chapters: z.array(chapterItem), _version: z.literal('v2') }),
      errors: NOT_FOUND,
    },
    create: {
      path: 'podcast/v2/chapters/<id>',
      params: chaptersId,
      summary: 'Replaces all chapters of an episode; responds with 201',
      body: chapterBody,
      errors: NOT_FOUND,
    },
    update: {
      method: 'PUT',
      also: ['PATCH'],
      summary: 'Replaces all chapters of an episode',
      body: chapterBody,
      errors: NOT_FOUND,
    },
    remove: { summary: 'Removes all chapters of an episode', errors: NOT_FOUND },
  },
);
