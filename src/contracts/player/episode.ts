import { z } from 'zod';
import { chapterItem, episodeFile, formatPlayTime, type Cue } from '../podcast/index.ts';
import { playerConfig } from './config.ts';
import { playerTheme } from './theme.ts';

/** Version of what the player reads. */
export const PLAYER_DATA_VERSION = 5;

/** A cue, as the player reads it. */
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

/** A transcript as the player reads it. */
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

/** An episode as the player reads it: from the interface, or from a file beside its page. */
export const playerEpisode = z
  .object({
    version: z.literal(PLAYER_DATA_VERSION),
    show: z.object({
      title: z.string(),
      subtitle: z.string(),
      summary: z.string(),
      poster: z.string().meta({ description: 'Empty without a picture' }),
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
    contributors: z.array(contributor).optional().meta({ description: 'Where episodes name who is heard' }),
    transcripts: z
      .union([z.string(), z.array(playerCue)])
      .optional()
      .meta({ description: 'Cues, or their address; where episodes have transcripts' }),
  })
  .meta({ title: 'player-episode' });
export type PlayerEpisode = z.output<typeof playerEpisode>;

/** A post with audio, as the player reads it. */
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

/** Episodes that are played one after the other. */
export const playlistItem = z.object({
  title: z.string(),
  episode: z.int().meta({ description: 'Id of its page' }),
  config: z.string().meta({ description: 'Address of what the player reads of it' }),
  duration: z.string(),
});
export type PlaylistItem = z.output<typeof playlistItem>;

/** How many episodes a playlist of the podcast has at the most. */
export const MAX_PLAYLIST_ITEMS = 25;

/** How a player looks and what it offers, as it reads it. */
export const playerSetup = playerConfig
  .extend({
    'subscribe-button': playerConfig.shape['subscribe-button'].nullable().meta({ description: 'Null without apps' }),
    version: z.literal(PLAYER_DATA_VERSION),
    playlist: z.string().optional().meta({ description: 'Address of the episodes that are played next' }),
    theme: playerTheme,
    base: z.string().meta({ description: 'Address of the files of the player' }),
  })
  .meta({ title: 'player-config' });
export type PlayerSetup = z.output<typeof playerSetup>;
