import { z } from 'zod';
import { wireBoolean, wireInteger } from '../wire.ts';
import { longText, looseInteger, playTime, shortText, textOrNull, clearableAddress } from './shared-schemas.ts';
import { chapterItem, MAX_CHAPTERS } from './chapter.ts';
import { isMediaSlug } from './media-names.ts';

export const episodeType = z.enum(['full', 'trailer', 'bonus']);
export type EpisodeType = z.output<typeof episodeType>;

/** A playable or downloadable file. */
export const episodeFile = z.object({
  url: z.string().describe('URL of the file; counts downloads if enabled'),
  size: looseInteger.describe('Size in bytes; 0 if the file is missing'),
  title: z.string(),
  mimeType: z.string(),
});

/** Recommended length of a soundbite, in seconds (Podcasting 2.0, soundbite). */
const SOUNDBITE_SECONDS = { min: 15, max: 120 };

/** Returns the problem of a soundbite that is too short or too long for apps. */
export function soundbiteProblem(durationMs: number): string | undefined {
  const { min, max } = SOUNDBITE_SECONDS;
  const seconds = durationMs / 1000;
  return seconds < min || seconds > max
    ? `is ${seconds} seconds; podcast apps expect soundbites of ${min} to ${max} seconds`
    : undefined;
}

const soundbite = {
  soundbite_start: textOrNull.describe('Play time, as written'),
  soundbite_duration: textOrNull,
  soundbite_title: textOrNull,
};

/** Fields of an episode in both versions. */
const texts = {
  title: z.string().describe('Title in lists'),
  title_clean: textOrNull.describe('Title without number and podcast name'),
  subtitle: z.string(),
  summary: z.string(),
};
const published = {
  publicationDate: z.string().meta({ format: 'date-time' }),
  duration: z.string().describe('Play time, such as 00:31:05.250'),
  poster: textOrNull.describe('URL of the episode or podcast image, 500 pixels wide'),
  link: z.string().describe('URL of the episode page'),
};
const files = {
  audio: z.array(episodeFile).describe('Playable files, one per type'),
  files: z.array(episodeFile).describe('Downloadable files'),
};
const numbered = {
  number: looseInteger.nullable(),
  mnemonic: z.string().describe('Short name of the podcast, with the number'),
};

export const episodeRow = z.object({ id: looseInteger, title: texts.title });

/** An episode in version 1, with chapters and page content. */
export const episodeV1 = z
  .object({
    _version: z.literal('v1'),
    id: looseInteger.describe('Id of the episode; differs from the id of its page'),
    slug: z.string().describe('Slug of the episode page'),
    ...texts,
    ...published,
    chapters: z.array(chapterItem),
    ...files,
    content: z.string().describe('Page content as HTML'),
    ...numbered,
    ...soundbite,
  })
  .meta({ title: 'episode' });

const MAX_PRODUCTIONS = 20;

/** Start times of segments before and after the cuts of a production, by production id. */
const startsMs = z.array(z.int().min(0)).max(MAX_CHAPTERS);
export const timingMaps = z.record(z.string(), z.object({ source_starts_ms: startsMs, output_starts_ms: startsMs }));

/** An episode (`podcast/v2/episodes/<id>`), section 2.6. Unset production fields are empty strings. */
export const episode = z
  .object({
    _version: z.literal('v2'),
    id: looseInteger.describe('Id of the episode; differs from the id of its page'),
    guid: z.string().describe('Permanent identifier for podcast apps'),
    slug: textOrNull.describe('Prefix of file names'),
    slug_frozen: z.boolean().describe('Whether the slug is frozen'),
    post_id: looseInteger.describe('Id of the episode page'),
    ...texts,
    duration: published.duration,
    type: episodeType,
    publicationDate: published.publicationDate,
    recording_date: textOrNull.describe('Day and time, such as 2026-01-05 00:00:00'),
    poster: published.poster,
    episode_poster: textOrNull.describe('URL of the episode image'),
    link: published.link,
    ...files,
    ...numbered,
    ...soundbite,
    explicit: z.boolean(),
    license_name: textOrNull,
    license_url: textOrNull,
    ext_production_id: z.string(),
    is_ext_production_running: z.union([z.boolean(), z.enum(['', '1'])]),
    ext_chapter_timing_maps: z.union([timingMaps, z.tuple([])]).meta({ type: 'object' }),
    ext_plus_transfer_status: z.enum(['', 'waiting_for_webhook', 'in_progress', 'completed', 'failed']),
    ext_plus_transfer_files: z.union([z.string(), z.array(z.unknown())]),
    ext_plus_transfer_errors: z.string(),
    ext_plus_transfer_change_time: z.string(),
    show: z.string().describe('Slug of the show; empty for none'),
    season: looseInteger.optional().describe('Season number, if any'),
    season_id: looseInteger.optional().describe('Season id, if any'),
  })
  .meta({ title: 'episode' });

/** Fields about productions, and others that are of no use to other programs. Sync and import require all others. */
export const INTERNAL_EPISODE_FIELDS = {
  _version: true,
  mnemonic: true,
  ext_production_id: true,
  is_ext_production_running: true,
  ext_chapter_timing_maps: true,
  ext_plus_transfer_status: true,
  ext_plus_transfer_files: true,
  ext_plus_transfer_errors: true,
  ext_plus_transfer_change_time: true,
  season_id: true,
} as const;

const soundbiteBody = {
  soundbite_start: playTime.optional(),
  soundbite_duration: playTime.optional(),
  soundbite_title: shortText.optional().describe('Title of the soundbite'),
};

/** Writable fields in version 1. */
export const episodeV1Body = z.object(soundbiteBody);

/** Writable fields of an episode. Status, date, text and author belong to its page. */
export const episodeBody = z.object({
  guid: shortText.min(1).optional().describe('Permanent identifier for podcast apps'),
  title: shortText.optional().describe('Title of the episode and its page'),
  subtitle: shortText.optional().describe('Subtitle'),
  summary: longText.optional().describe('Summary'),
  number: wireInteger({ minimum: 0, maximum: 1_000_000 }).optional().describe('Number of the episode'),
  season: wireInteger({ minimum: 1, maximum: 10_000 }).nullable().optional().describe('Season number; null for none'),
  slug: z
    .string()
    .trim()
    .refine((slug) => slug === '' || isMediaSlug(slug), { error: 'is not allowed in a file name' })
    .optional()
    .describe('Prefix of file names; ignored while frozen'),
  duration: playTime.optional(),
  type: episodeType.optional().describe('Whether this is a full episode, a trailer or a bonus'),
  cover: clearableAddress.optional().describe('URL of the episode image; same as `episode_poster`'),
  explicit: wireBoolean.optional().describe('Whether the content is explicit'),
  ...soundbiteBody,
  ext_production_id: shortText.optional().describe('Id of the production at an audio service'),
  is_ext_production_running: wireBoolean.optional().describe('Whether the production is running'),
  ext_chapter_timing_maps: timingMaps
    .refine((maps) => Object.keys(maps).length <= MAX_PRODUCTIONS, {
      error: `holds more than ${MAX_PRODUCTIONS} productions`,
    })
    .optional()
    .describe('Start times of segments before and after a production, by production id'),
  ext_webhook_config: z
    .object({ authkey: z.string().min(1).max(200), enabled: wireBoolean })
    .optional()
    .describe('Key of the webhook, and whether it publishes the episode; never returned'),
  show: shortText.optional().describe('Slug of a show; empty for none'),
  skip_validation: wireBoolean.optional().describe('Whether to skip the check of files after a change of the slug'),
  recording_date: z
    .string()
    .regex(/^(?:\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?)?$/)
    .refine((text) => text === '' || isDate(text), { error: 'is not a date such as 2026-01-05' })
    .optional()
    .describe('Day, with or without a time; empty for none'),
  episode_poster: clearableAddress.optional().describe('URL of the episode image; empty for none'),
  license_name: shortText.optional().describe('License name'),
  license_url: clearableAddress.optional().describe('License URL'),
});

/** `Date` silently converts 31 February to 3 March. */
function isDate(text: string): boolean {
  const [day = ''] = text.split(/[ T]/);
  const date = new Date(`${text.replace(' ', 'T')}${text === day ? '' : 'Z'}`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

export type Episode = z.output<typeof episode>;
export type EpisodeBody = z.output<typeof episodeBody>;
export type EpisodeFile = z.output<typeof episodeFile>;
