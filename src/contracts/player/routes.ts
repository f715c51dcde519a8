import { z } from 'zod';
import { tag } from '../core/index.ts';
import { route } from '../route.ts';
import { wireInteger } from '../wire.ts';
import { playerConfig, playerConfigBody, playerId, playerSettings, playerSettingsBody } from './config.ts';
import { playerEpisode, playerPost, playerSetup, playlistItem } from './episode.ts';
import { playerTemplateBody, playerTheme, playerThemeBody } from './theme.ts';

const NOT_FOUND = { rest_not_found: 404 } as const;

const stored = z.object({
  settings: playerSettings,
  configs: z.record(z.string(), playerConfig),
  themes: z.record(z.string(), playerTheme),
  templates: z.record(z.string(), z.string()),
});

/** A show of the podcast, which is a term. */
const showTerm = tag.pick({ name: true, slug: true, taxonomy: true }).extend({
  term_id: z.int(),
  term_group: z.int(),
  term_taxonomy_id: z.int(),
  description: z.string(),
  parent: z.int(),
  count: z.int(),
  filter: z.string(),
});

export const getPlayerOptions = route({
  method: 'GET',
  path: 'player/options',
  summary: 'Settings, configurations, themes and templates of the player',
  access: 'public',
  response: stored,
});
export const bootstrapPlayer = route({
  method: 'GET',
  path: 'player/5.9.2/bootstrap',
  summary: 'The same, with those that editors may start from',
  access: 'user',
  response: stored.extend({
    presets: stored.omit({ settings: true }),
    // Without shows there is an object around the list.
    shows: z.union([z.array(showTerm), z.object({ data: z.tuple([]) })]),
  }),
});
export const listShows = route({
  method: 'GET',
  path: 'player/5.9.2/shows',
  summary: 'Shows of the podcast',
  access: 'user',
  response: z.array(showTerm),
});

const describedAs = { required: true };

/** An id to read by. Case is ignored as in all paths, so that an unknown id finds the default one. */
const lookupId = z
  .string()
  .max(100)
  .regex(/^[a-z0-9-]+$/i);

const named = z.object({
  id: playerId.meta({ description: 'Id, `default` for what is used where none is named', describedAs }),
});
const SAVE = { method: 'POST', access: 'user', params: named } as const;
const DELETE = { method: 'DELETE', access: 'user', params: named, response: z.literal(true) } as const;

export const savePlayerConfig = route({
  ...SAVE,
  path: 'player/5.9.2/config/<id>',
  summary: 'Keeps a configuration of the player',
  body: playerConfigBody,
  response: playerConfig,
});
export const deletePlayerConfig = route({
  ...DELETE,
  path: 'player/5.9.2/config/<id>',
  summary: 'Deletes a configuration of the player',
});
export const savePlayerTheme = route({
  ...SAVE,
  path: 'player/5.9.2/theme/<id>',
  summary: 'Keeps a theme of the player',
  body: playerThemeBody,
  response: playerTheme,
});
export const deletePlayerTheme = route({
  ...DELETE,
  path: 'player/5.9.2/theme/<id>',
  summary: 'Deletes a theme of the player',
});
export const savePlayerTemplate = route({
  ...SAVE,
  path: 'player/5.9.2/template/<id>',
  summary: 'Keeps a template of the player',
  body: playerTemplateBody,
  response: z.string(),
});
export const deletePlayerTemplate = route({
  ...DELETE,
  path: 'player/5.9.2/template/<id>',
  summary: 'Deletes a template of the player',
});
export const savePlayerSettings = route({
  method: 'POST',
  path: 'player/5.9.2/settings',
  summary: 'Keeps the settings of the player',
  access: 'user',
  body: playerSettingsBody,
  response: playerSettings,
});

const pageId = z.object({ id: wireInteger().meta({ description: 'Id of a page', describedAs }) });

export const getPlaylist = route({
  method: 'GET',
  path: 'player/shortcode/podcast',
  summary: 'The newest published episodes',
  access: 'public',
  response: z.array(playlistItem),
});
export const getShowPlaylist = route({
  method: 'GET',
  path: 'player/shortcode/show/<slug>',
  summary: 'The newest published episodes of a show; none for a show that there is not',
  access: 'public',
  params: z.object({ slug: lookupId.meta({ description: 'Slug of the show', describedAs }) }),
  response: z.array(playlistItem),
});
export const getPlayerEpisode = route({
  method: 'GET',
  path: 'player/shortcode/publisher/<id>',
  summary: 'What the player reads of an episode',
  access: 'public',
  params: pageId,
  response: playerEpisode,
  errors: NOT_FOUND,
});
export const getPlayerPost = route({
  method: 'GET',
  path: 'player/shortcode/post/<id>',
  summary: 'What the player reads of a post with audio',
  access: 'public',
  params: pageId,
  response: playerPost,
  errors: NOT_FOUND,
});

const chosen = z.object({
  config: lookupId.meta({
    description: 'Id of a configuration; the default one where there is none of this id',
    describedAs,
  }),
  theme: lookupId.meta({ description: 'Id of a theme; the default one where there is none of this id', describedAs }),
});
const setup = { method: 'GET', access: 'public', response: playerSetup } as const;

export const getPlayerSetup = route({
  ...setup,
  path: 'player/shortcode/config/<config>/theme/<theme>',
  summary: 'How a player looks and what it offers',
  params: chosen,
});
/** What follows is passed over: players put it there to get past caches. */
export const getPlayerSetupUncached = route({
  ...setup,
  path: 'player/shortcode/config/<config>/theme/<theme>/<path>',
  summary: 'The same, under an address that no cache has seen',
  params: chosen.extend({ path: z.string().meta({ description: 'Any words', capture: String.raw`\S+` }) }),
});
