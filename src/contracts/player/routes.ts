import { z } from 'zod';
import { tag } from '../core/site-resources.ts';
import { resourceRoutes, readRoute, writeRoute } from '../route.ts';
import { wireInteger } from '../wire.ts';
import {
  playerConfig,
  playerConfigBody,
  playerId,
  playerSettings,
  playerSettingsBody,
  playerTemplateBody,
  playerTheme,
  playerThemeBody,
} from './config.ts';
import { chapterItem } from '../podcast/chapter.ts';
import { episodeFile } from '../podcast/episode.ts';
import { NOT_FOUND } from '../podcast/shared-schemas.ts';
import { formatPlayTime } from '../podcast/play-time.ts';
import type { Cue } from '../podcast/transcript.ts';

/** Version of the player's data format. */
export const PLAYER_DATA_VERSION = 5;

const playerCue = z.object({
  start: z.string().describe('Play time'),
  start_ms: z.int(),
  end: z.string(),
  end_ms: z.int(),
  speaker: z.string().describe('Id of a contributor, or a name'),
  voice: z.string().describe('Name in the transcript'),
  text: z.string(),
});
type PlayerCue = z.output<typeof playerCue>;

export function playerCues(cues: readonly Cue[]): PlayerCue[] {
  return cues.map(({ startMs, endMs, speaker = '', text }) => ({
    start: formatPlayTime(startMs),
    start_ms: startMs,
    end: formatPlayTime(endMs),
    end_ms: endMs,
    speaker,
    voice: speaker,
    text,
  }));
}

const group = z.object({ id: z.string(), slug: z.string(), title: z.string() });

const contributor = z.object({
  id: z.string(),
  name: z.string(),
  avatar: z.string(),
  role: group.nullable(),
  group: group.nullable(),
  comment: z.string().nullable(),
});

/** An episode in the player's format, from the interface or a generated file of its page. */
const playerEpisode = z
  .object({
    version: z.literal(PLAYER_DATA_VERSION),
    show: z.object({
      title: z.string(),
      subtitle: z.string(),
      summary: z.string(),
      poster: z.string().describe('Empty without an image'),
      link: z.string(),
    }),
    title: z.string(),
    subtitle: z.string(),
    summary: z.string(),
    publicationDate: z.string().meta({ format: 'date-time' }),
    duration: z.string(),
    poster: z.string().nullable(),
    link: z.string(),
    chapters: z.array(chapterItem),
    audio: z.array(episodeFile),
    files: z.array(episodeFile),
    contributors: z.array(contributor).optional().describe('Contributors, if episodes have them'),
    transcripts: z
      .union([z.string(), z.array(playerCue)])
      .optional()
      .describe('Cues or their URL, if episodes have transcripts'),
  })
  .meta({ title: 'player-episode' });
export type PlayerEpisode = z.output<typeof playerEpisode>;

/** A post with audio, in the player's format. */
const playerPost = z
  .object({
    title: z.string(),
    duration: z.string().nullable(),
    link: z.string(),
    poster: z.union([z.string(), z.literal(false)]),
    audio: z.array(
      z.object({
        mimeType: z.string().nullable(),
        url: z.string().describe('Empty for a post without audio'),
        size: z.union([z.int(), z.string()]).nullable(),
        title: z.string(),
      }),
    ),
    chapters: z.array(chapterItem.partial()),
    show: z.object({ title: z.string(), subtitle: z.string(), link: z.string() }),
    transcripts: z.array(playerCue.partial()),
  })
  .meta({ title: 'player-post' });
export type PlayerPost = z.output<typeof playerPost>;

const playlistItem = z.object({
  title: z.string(),
  episode: z.int().describe('Id of the episode page'),
  config: z.string().describe('URL of the player data'),
  duration: z.string(),
});
export type PlaylistItem = z.output<typeof playlistItem>;

export const MAX_PLAYLIST_ITEMS = 25;

/** Setup of a player in its format: configuration and theme. */
const playerSetup = playerConfig
  .extend({
    'subscribe-button': playerConfig.shape['subscribe-button'].nullable().describe('Null without apps'),
    version: z.literal(PLAYER_DATA_VERSION),
    playlist: z.string().optional().describe('URL of the playlist'),
    theme: playerTheme,
    base: z.string().describe('URL of the player files'),
  })
  .meta({ title: 'player-config' });
export type PlayerSetup = z.output<typeof playerSetup>;

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

export const getPlayerOptions = readRoute('player/options', 'public', {
  summary: 'Settings, configurations, themes and templates of the player',
  response: stored,
});
export const bootstrapPlayer = readRoute('player/5.9.2/bootstrap', 'user', {
  summary: 'Settings, configurations, themes and templates of the player, with presets and shows',
  response: stored.extend({
    presets: stored.omit({ settings: true }),
    // The list is wrapped in an object if there are no shows.
    shows: z.union([z.array(showTerm), z.object({ data: z.tuple([]) })]),
  }),
});
export const listShows = readRoute('player/5.9.2/shows', 'user', {
  summary: 'Shows of the podcast',
  response: z.array(showTerm),
});

const describedAs = { required: true };

/** An id for reading. Case is ignored, as in all paths, and an unknown id selects the default. */
const lookupId = z
  .string()
  .max(100)
  .regex(/^[a-z0-9-]+$/i);

const idParams = z.object({
  id: playerId.meta({ description: 'Id; `default` is the fallback', describedAs }),
});

/** Declares the routes that save and delete a named part of the player. */
function partRoutes<B extends z.ZodObject, R extends z.ZodType>(path: string, name: string, body: B, resource: R) {
  return resourceRoutes(
    { path: `player/5.9.2/${path}`, params: idParams, access: 'user', resource },
    {
      update: { also: [], summary: `Saves ${name} of the player`, body },
      remove: { summary: `Deletes ${name} of the player`, response: z.literal(true) },
    },
  );
}

export const { update: savePlayerConfig, remove: deletePlayerConfig } = partRoutes(
  'config',
  'a configuration',
  playerConfigBody,
  playerConfig,
);
export const { update: savePlayerTheme, remove: deletePlayerTheme } = partRoutes(
  'theme',
  'a theme',
  playerThemeBody,
  playerTheme,
);
export const { update: savePlayerTemplate, remove: deletePlayerTemplate } = partRoutes(
  'template',
  'a template',
  playerTemplateBody,
  z.string(),
);
export const savePlayerSettings = writeRoute('player/5.9.2/settings', {
  summary: 'Saves the settings of the player',
  body: playerSettingsBody,
  response: playerSettings,
});

const pageId = z.object({ id: wireInteger().meta({ description: 'Id of a page', describedAs }) });

export const getPlaylist = readRoute('player/shortcode/podcast', 'public', {
  summary: 'The newest published episodes',
  response: z.array(playlistItem),
});
export const getShowPlaylist = readRoute('player/shortcode/show/<slug>', 'public', {
  summary: 'The newest published episodes of a show; empty for an unknown show',
  params: z.object({ slug: lookupId.meta({ description: 'Slug of the show', describedAs }) }),
  response: z.array(playlistItem),
});
export const getPlayerEpisode = readRoute('player/shortcode/publisher/<id>', 'public', {
  summary: 'Player data of an episode',
  params: pageId,
  response: playerEpisode,
  errors: NOT_FOUND,
});
export const getPlayerPost = readRoute('player/shortcode/post/<id>', 'public', {
  summary: 'Player data of a post with audio',
  params: pageId,
  response: playerPost,
  errors: NOT_FOUND,
});

const setupParams = z.object({
  config: lookupId.meta({
    description: 'Id of a configuration; unknown ids select the default',
    describedAs,
  }),
  theme: lookupId.meta({ description: 'Id of a theme; unknown ids select the default', describedAs }),
});

export const getPlayerSetup = readRoute('player/shortcode/config/<config>/theme/<theme>', 'public', {
  summary: 'Configuration and theme of a player',
  params: setupParams,
  response: playerSetup,
});
/** The rest of the path is ignored; players append it to bypass caches. */
export const getPlayerSetupUncached = readRoute('player/shortcode/config/<config>/theme/<theme>/<path>', 'public', {
  summary: 'Configuration and theme of a player, bypassing caches',
  params: setupParams.extend({ path: z.string().meta({ description: 'Any text', capture: String.raw`\S+` }) }),
  response: playerSetup,
});
