import { z } from 'zod';
import { playerConfig, playerTheme } from './player/index.ts';
import { chapterItem, episode, episodePage, MAX_CHAPTERS, podcast, podcastShow } from './podcast/index.ts';

/** Imported fields of a podcast and its player. Servers of other versions lack some others. */
export const podcastImport = z.object({
  podcast: podcast.pick({
    guid: true,
    title: true,
    subtitle: true,
    summary: true,
    mnemonic: true,
    itunes_type: true,
    author_name: true,
    podcast_email: true,
    poster: true,
    funding_url: true,
    funding_label: true,
    copyright: true,
    explicit: true,
    category: true,
    language: true,
    license_url: true,
    license_name: true,
  }),
  player: z
    .object({
      configs: z.record(z.string(), playerConfig),
      themes: z.record(z.string(), playerTheme),
      templates: z.record(z.string(), z.string()),
    })
    .optional(),
});
export type PodcastImport = z.output<typeof podcastImport>;

export const showImport = z.object({ show: podcastShow });
export type ShowImport = z.output<typeof showImport>;

/** An episode with its page, which carries its status and date. */
export const episodeImport = z.object({
  episode: episode.pick({
    id: true,
    guid: true,
    slug: true,
    slug_frozen: true,
    post_id: true,
    title_clean: true,
    subtitle: true,
    summary: true,
    duration: true,
    type: true,
    recording_date: true,
    episode_poster: true,
    number: true,
    season: true,
    soundbite_start: true,
    soundbite_duration: true,
    soundbite_title: true,
    explicit: true,
    license_name: true,
    license_url: true,
    show: true,
  }),
  page: episodePage,
  chapters: z.array(chapterItem).max(MAX_CHAPTERS),
  /** Enabled files with their URLs. */
  media: z.array(z.object({ asset: z.string(), url: z.string(), size: z.int() })),
});
export type EpisodeImport = z.output<typeof episodeImport>;
