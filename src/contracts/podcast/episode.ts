import { z } from 'zod';
import { wireBoolean, wireInteger } from '../wire.ts';
import { longText, looseInteger, playTime, shortText, textOrNull } from './answers.ts';
import { chapterItem, MAX_CHAPTERS } from './chapter.ts';
import { isMediaSlug } from './media-names.ts';
import { clearableAddress } from './web-address.ts';

export const episodeType = z.enum(['full', 'trailer', 'bonus']);
export type EpisodeType = z.output<typeof episodeType>;

/** A file that is played or downloaded. */
export const episodeFile = z.object({
  url: z.string().meta({ description: 'Address under which downloads are counted, where they are' }),
  size: looseInteger.meta({ description: 'Bytes; 0 for a file that is missing' }),
  title: z.string(),
  mimeType: z.string(),
});

/** Recommended length of a soundbite, in seconds (Podcasting 2.0, soundbite). */
const SOUNDBITE_SECONDS = { min: 15, max: 120 };

/** Describes a soundbite that apps may not play, because it is too short or too long. */
export function soundbiteProblem(durationMs: number): string | undefined {
  const { min, max } = SOUNDBITE_SECONDS;
  const seconds = durationMs / 1000;
  return seconds < min || seconds > max
    ? `is ${seconds} seconds; podcast apps expect soundbites of ${min} to ${max} seconds`
    : undefined;
}

const soundbite = {
  soundbite_start: textOrNull.meta({ description: 'Play time, as it was written' }),
  soundbite_duration: textOrNull,
  soundbite_title: textOrNull,
};

/** What both versions answer of an episode. */
const texts = {
  title: z.string().meta({ description: 'As lists show it' }),
  title_clean: textOrNull.meta({ description: 'Without number and name of the podcast' }),
  subtitle: z.string(),
  summary: z.string(),
};
const published = {
  publicationDate: z.string().meta({ format: 'date-time' }),
  duration: z.string().meta({ description: 'Play time, such as 00:31:05.250' }),
  poster: textOrNull.meta({ description: 'Address of its picture or that of the podcast, 500 pixels wide' }),
  link: z.string().meta({ description: 'Address of its page' }),
};
const files = {
  audio: z.array(episodeFile).meta({ description: 'What can be played, one of each type' }),
  files: z.array(episodeFile).meta({ description: 'What can be downloaded' }),
};
const numbered = {
  number: looseInteger.nullable(),
  mnemonic: z.string().meta({ description: 'Short name of the podcast with the number' }),
};

/** An episode in a list. */
export const episodeRow = z.object({ id: looseInteger, title: texts.title });

/** An episode as version 1 answers it, with its chapters and the text of its page. */
export const episodeV1 = z
  .object({
    _version: z.literal('v1'),
    id: looseInteger.meta({ description: 'Id of the episode; its page has another one' }),
    slug: z.string().meta({ description: 'Name of its page in addresses' }),
    ...texts,
    ...published,
    chapters: z.array(chapterItem),
    ...files,
    content: z.string().meta({ description: 'Text of its page as HTML' }),
    ...numbered,
    ...soundbite,
  })
  .meta({ title: 'episode' });

/** An episode is produced once, and sometimes again. */
const MAX_PRODUCTIONS = 20;

/** Times at which parts begin, before and after a production has cut something out, by the id of the production. */
const startsMs = z.array(z.int().min(0)).max(MAX_CHAPTERS);
export const timingMaps = z.record(z.string(), z.object({ source_starts_ms: startsMs, output_starts_ms: startsMs }));

/** An episode (`podcast/v2/episodes/<id>`), section 2.6. What is unset of its production is an empty text. */
export const episode = z
  .object({
    _version: z.literal('v2'),
    id: looseInteger.meta({ description: 'Id of the episode; its page has another one' }),
    guid: z.string().meta({ description: 'What apps know it by; it never changes' }),
    slug: textOrNull.meta({ description: 'What names of its files begin with' }),
    slug_frozen: z.boolean().meta({ description: 'Whether other slugs are ignored' }),
    post_id: looseInteger.meta({ description: 'Id of its page' }),
    ...texts,
    duration: published.duration,
    type: episodeType,
    publicationDate: published.publicationDate,
    recording_date: textOrNull.meta({ description: 'Day and time, such as 2026-01-05 00:00:00' }),
    poster: published.poster,
    episode_poster: textOrNull.meta({ description: 'Address of its own picture' }),
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
    show: z.string().meta({ description: 'Slug of the show it belongs to, empty for none' }),
    season: looseInteger.optional().meta({ description: 'Number of its season, where it has one' }),
    season_id: looseInteger.optional().meta({ description: 'Id of its season, where there are seasons' }),
  })
  .meta({ title: 'episode' });

const soundbiteBody = {
  soundbite_start: playTime.optional(),
  soundbite_duration: playTime.optional(),
  soundbite_title: shortText.optional().meta({ description: 'What is heard in the soundbite' }),
};

/** What version 1 lets write of an episode. */
export const episodeV1Body = z.object(soundbiteBody);

/** What may be written of an episode. Status, date, text and author are written of its page. */
export const episodeBody = z.object({
  guid: shortText.min(1).optional().meta({ description: 'What apps know it by' }),
  title: shortText.optional().meta({ description: 'Title of the episode, and of its page' }),
  subtitle: shortText.optional().meta({ description: 'A line below the title' }),
  summary: longText.optional().meta({ description: 'What it is about' }),
  number: wireInteger({ minimum: 0, maximum: 1_000_000 }).optional().meta({ description: 'Number of the episode' }),
  season: wireInteger({ minimum: 1, maximum: 10_000 })
    .nullable()
    .optional()
    .meta({ description: 'Number of its season; null for none' }),
  slug: z
    .string()
    .trim()
    .refine((slug) => slug === '' || isMediaSlug(slug), { error: 'can not be part of a file name' })
    .optional()
    .meta({ description: 'What names of its files begin with; ignored while it is frozen' }),
  duration: playTime.optional(),
  type: episodeType.optional().meta({ description: 'Whether it is a whole episode, a trailer or a bonus' }),
  cover: clearableAddress.optional().meta({ description: 'Address of its own picture, as `episode_poster`' }),
  explicit: wireBoolean.optional().meta({ description: 'Whether it is not for children' }),
  ...soundbiteBody,
  ext_production_id: shortText.optional().meta({ description: 'Id of its production at a service for audio' }),
  is_ext_production_running: wireBoolean.optional().meta({ description: 'Whether the production is not done yet' }),
  ext_chapter_timing_maps: timingMaps
    .refine((maps) => Object.keys(maps).length <= MAX_PRODUCTIONS, {
      error: `holds more than ${MAX_PRODUCTIONS} productions`,
    })
    .optional()
    .meta({ description: 'Where parts begin before and after the production, by its id' }),
  ext_webhook_config: z
    .object({ authkey: z.string().min(1).max(200), enabled: wireBoolean })
    .optional()
    .meta({ description: 'Key of the webhook, and whether the episode is published by it; never answered' }),
  show: shortText.optional().meta({ description: 'Slug of a show; empty for none' }),
  skip_validation: wireBoolean
    .optional()
    .meta({ description: 'Whether files are not looked for when the slug changes' }),
  recording_date: z
    .string()
    .regex(/^(?:\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?)?$/)
    .refine((text) => text === '' || isDate(text), { error: 'is not a date such as 2026-01-05' })
    .optional()
    .meta({ description: 'Day, with or without a time; empty for none' }),
  episode_poster: clearableAddress.optional().meta({ description: 'Address of its own picture; empty for none' }),
  license_name: shortText.optional().meta({ description: 'Name of its license' }),
  license_url: clearableAddress.optional().meta({ description: 'Address of its license' }),
});

/** `Date` takes the 31st of February for the 3rd of March. */
function isDate(text: string): boolean {
  const [day = ''] = text.split(/[ T]/);
  const moment = new Date(`${text.replace(' ', 'T')}${text === day ? '' : 'Z'}`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
}

export type Episode = z.output<typeof episode>;
export type EpisodeBody = z.output<typeof episodeBody>;
export type EpisodeFile = z.output<typeof episodeFile>;
