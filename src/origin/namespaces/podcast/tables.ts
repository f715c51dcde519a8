import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Chapter, EpisodeType } from '#contracts/podcast/index.ts';
import { boundedJson } from '#origin/platform/store/json-column.ts';

const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
const reference = (name: string) => bigint(name, { mode: 'number' });
/** A moment, in UTC. */
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Times at which parts begin, before and after a production has cut something out, by the id of the production. */
type TimingMaps = Record<string, { source_starts_ms: number[]; output_starts_ms: number[] }>;

/**
 * Episodes. Status, date, author, password, text and tags are those of the page (`content`), which has another id.
 * What was never written is null.
 */
export const podcastEpisode = pgTable(
  'podcast_episode',
  {
    id: id(),
    /** Its page. */
    contentId: reference('content_id').notNull(),
    guid: text().notNull(),
    /** Its own title, without number and name of the podcast. */
    title: text(),
    subtitle: text(),
    summary: text(),
    number: integer(),
    season: integer(),
    type: text().$type<EpisodeType>().notNull().default('full'),
    /** What names of its files begin with; not the slug of its page. */
    slug: text(),
    slugFrozen: boolean('slug_frozen').notNull().default(false),
    /** A play time, as it was written. */
    duration: text(),
    /** Address of its own picture. */
    poster: text(),
    /** `2026-01-05 00:00:00` */
    recordingDate: text('recording_date'),
    explicit: boolean().notNull().default(false),
    licenseName: text('license_name'),
    licenseUrl: text('license_url'),
    /** Play times, as they were written. */
    soundbiteStart: text('soundbite_start'),
    soundbiteDuration: text('soundbite_duration'),
    soundbiteTitle: text('soundbite_title'),
    /** In the order in which they were written. */
    chapters: boundedJson().$type<Chapter[]>().notNull().default([]),
    showId: reference('show_id'),
    productionId: text('production_id'),
    isProductionRunning: boolean('is_production_running'),
    timingMaps: boundedJson('timing_maps').$type<TimingMaps>().notNull().default({}),
    /** SHA-256 of the key that a production service sends when it is done. */
    productionKeyHash: text('production_key_hash'),
    /** Whether the episode is published when its production is done. */
    publishesWhenProduced: boolean('publishes_when_produced').notNull().default(false),
  },
  (table) => [
    uniqueIndex('podcast_episode_content').on(table.contentId),
    index('podcast_episode_guid').on(table.guid),
    index('podcast_episode_slug').on(table.slug),
    index('podcast_episode_show').on(table.showId),
  ],
);

/** Shows: a podcast in another language, or a series of its own. What is null is as the podcast has it. */
export const podcastShow = pgTable(
  'podcast_show',
  {
    id: id(),
    slug: text().notNull(),
    guid: text().notNull(),
    title: text().notNull(),
    subtitle: text(),
    summary: text(),
    /** A code such as `de-AT`. */
    language: text(),
    image: text(),
    /** Its own name, as callers write it. */
    category: text(),
    authorName: text('author_name'),
    email: text(),
    explicit: boolean(),
    copyright: text(),
    fundingUrl: text('funding_url'),
    fundingLabel: text('funding_label'),
    licenseName: text('license_name'),
    licenseUrl: text('license_url'),
    itunesType: text('itunes_type').$type<'episodic' | 'serial'>(),
  },
  (table) => [uniqueIndex('podcast_show_slug').on(table.slug)],
);

/** Kinds of files that every episode may have one of each. */
export const podcastAsset = pgTable('podcast_asset', {
  id: id(),
  title: text().notNull(),
  identifier: text().notNull(),
  /** Extension of one of `FILE_TYPES`. */
  fileType: text('file_type').notNull(),
  /** Between the slug of the episode and the extension. */
  suffix: text().notNull().default(''),
  downloadable: boolean().notNull().default(true),
  position: integer().notNull().default(0),
});

/** Files of episodes, at most one of each asset. */
export const podcastMediaFile = pgTable(
  'podcast_media_file',
  {
    id: id(),
    episodeId: reference('episode_id').notNull(),
    assetId: reference('asset_id').notNull(),
    /** Bytes; 0 for a file that is missing, 1 for unknown. */
    size: bigint({ mode: 'number' }).notNull().default(0),
    etag: text().notNull().default(''),
    /** Measured in the file. */
    durationMs: bigint('duration_ms', { mode: 'number' }),
    active: boolean().notNull().default(true),
    checkedAt: moment('checked_at'),
  },
  (table) => [uniqueIndex('podcast_media_file_asset').on(table.episodeId, table.assetId)],
);

export const podcastFeed = pgTable(
  'podcast_feed',
  {
    id: id(),
    slug: text().notNull(),
    name: text().notNull(),
    assetId: reference('asset_id'),
    position: integer().notNull().default(0),
    enabled: boolean().notNull().default(true),
    discoverable: boolean().notNull().default(true),
    isProtected: boolean('is_protected').notNull().default(false),
    /** Episodes on a page of it; 0: as the podcast has it, -1: all. */
    limitItems: integer('limit_items').notNull().default(0),
    showsContent: boolean('shows_content').notNull().default(true),
    appendsName: boolean('appends_name').notNull().default(false),
    redirectUrl: text('redirect_url').notNull().default(''),
    /** 0: it is answered here. */
    redirectStatus: integer('redirect_status').notNull().default(0),
  },
  (table) => [uniqueIndex('podcast_feed_slug').on(table.slug)],
);

/** Counted downloads: one for each listener, file and hour. No IP addresses are stored. */
export const podcastDownload = pgTable(
  'podcast_download',
  {
    id: id(),
    fileId: reference('file_id').notNull(),
    episodeId: reference('episode_id').notNull(),
    /** Beginning of the hour. */
    at: moment('at').notNull(),
    /** A hash with a salt that is deleted at the end of the day. */
    listener: text().notNull(),
    source: text().notNull().default(''),
    context: text().notNull().default(''),
  },
  (table) => [
    uniqueIndex('podcast_download_once').on(table.fileId, table.listener, table.at),
    index('podcast_download_episode').on(table.episodeId, table.at),
  ],
);

/** Salts of the listeners' hashes; none is older than a day. */
export const podcastSalt = pgTable('podcast_salt', {
  /** `2026-11-23`, UTC. */
  day: text().primaryKey(),
  salt: text().notNull(),
});

/** How what is sent becomes columns: what is emptied is null, as what was never written is. */
export function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** A value for some columns, undefined for those that stay as they are. */
type SentValues<Row> = { [K in keyof Row]?: Row[K] | undefined };

/** The columns that change. */
export function sentOnly<Row>(values: SentValues<Row>): Partial<Row> {
  // Of the entries none but those without a value are left out.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Row>;
}
