import { z } from 'zod';
import { chapterItem, episodeFile, formatPlayTime, type Cue } from '../podcast/index.ts';
import { playerConfig } from './config.ts';
import { playerTheme } from './theme.ts';

/** Version of the player's data format. */
export const PLAYER_DATA_VERSION = 5;

/** A cue in the player's format. */
export const playerCue = z.object({
  start: z.string().meta({ description: 'Play time' }),
  start_ms: z.int(),
  end: z.string(),
  end_ms: z.int(),
  speaker: z.string().meta({ description: 'Id of a contributor, or a name' }),
  voice: z.string().meta({ description: 'Name in the transcript' }),
  text: z.string(),
});
export type PlayerCue = z.output<typeof playerCue>;

/** Converts cues to the player's format. */
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
export const playerEpisode = z
  .object({
    version: z.literal(PLAYER_DATA_VERSION),
    show: z.object({
      title: z.string(),
      subtitle: z.string(),
      summary: z.string(),
      poster: z.string().meta({ description: 'Empty without an image' }),
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
    contributors: z.array(contributor).optional().meta({ description: 'Contributors, if episodes have them' }),
    transcripts: z
      .union([z.string(), z.array(playerCue)])
      .optional()
      .meta({ description: 'Cues or their URL, if episodes have transcripts' }),
  })
  .meta({ title: 'player-episode' });
export type PlayerEpisode = z.output<typeof playerEpisode>;

/** A post with audio, in the player's format. */
export const playerPost = z
  .object({
    title: z.string(),
    duration: z.string().nullable(),
    link: z.string(),
    poster: z.union([z.string(), z.literal(false)]),
    audio: z.array(
      z.object({
        mimeType: z.string().nullable(),
        url: z.string().meta({ description: 'Empty for a post without audio' }),
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

/** An item of a playlist. */
export const playlistItem = z.object({
  title: z.string(),
  episode: z.int().meta({ description: 'Id of the episode page' }),
  config: z.string().meta({ description: 'URL of the player data' }),
  duration: z.string(),
});
export type PlaylistItem = z.output<typeof playlistItem>;

/** Maximum number of episodes in a playlist. */
export const MAX_PLAYLIST_ITEMS = 25;

/** Setup of a player in its format: configuration and theme. */
export const playerSetup = playerConfig
  .extend({
    'subscribe-button': playerConfig.shape['subscribe-button'].nullable().meta({ description: 'Null without apps' }),
    version: z.literal(PLAYER_DATA_VERSION),
    playlist: z.string().optional().meta({ description: 'URL of the playlist' }),
    theme: playerTheme,
    base: z.string().meta({ description: 'URL of the player files' }),
  })
  .meta({ title: 'player-config' });
export type PlayerSetup = z.output<typeof playerSetup>;
