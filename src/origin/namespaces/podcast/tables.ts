import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Chapter } from '#contracts/podcast/chapter.ts';
import type { EpisodeType } from '#contracts/podcast/episode.ts';
import { boundedJson } from '#origin/platform/store/store-limits.ts';

const id = () => bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
const reference = (name: string) => bigint(name, { mode: 'number' });
/** Timestamp in UTC. */
const utcTimestamp = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Start times of segments before and after a production has cut the recording, by production ID. */
type TimingMaps = Record<string, { source_starts_ms: number[]; output_starts_ms: number[] }>;

/**
 * Episodes. Status, date, author, password, text and tags are those of the page (`content`), which has another id.
 * Fields that were never set are null.
 */
export const podcastEpisode = pgTable(
  'podcast_episode',
  {
    id: id(),
    /** ID of its page. */
    contentId: reference('content_id').notNull(),
    guid: text().notNull(),
    /** Title without the number and the name of the podcast. */
    title: text(),
    subtitle: text(),
    summary: text(),
    number: integer(),
    season: integer(),
    type: text().$type<EpisodeType>().notNull().default('full'),
    /** Prefix of its file names; independent of the slug of its page. */
    slug: text(),
    slugFrozen: boolean('slug_frozen').notNull().default(false),
    /** Play time as entered. */
    duration: text(),
    /** Address of the episode image. */
    poster: text(),
    /** `2026-01-05 00:00:00` */
    recordingDate: text('recording_date'),
    explicit: boolean().notNull().default(false),
    licenseName: text('license_name'),
    licenseUrl: text('license_url'),
    /** Play times as entered. */
    soundbiteStart: text('soundbite_start'),
    soundbiteDuration: text('soundbite_duration'),
    soundbiteTitle: text('soundbite_title'),
    /** In the order they were entered. */
    chapters: boundedJson().$type<Chapter[]>().notNull().default([]),
    showId: reference('show_id'),
    productionId: text('production_id'),
    isProductionRunning: boolean('is_production_running'),
    timingMaps: boundedJson('timing_maps').$type<TimingMaps>().notNull().default({}),
    /** SHA-256 of the key that a production service sends when it is done. */
    productionKeyHash: text('production_key_hash'),
    /** True if the episode is published when its production finishes. */
    publishesWhenProduced: boolean('publishes_when_produced').notNull().default(false),
  },
  (table) => [
    uniqueIndex('podcast_episode_content').on(table.contentId),
    index('podcast_episode_guid').on(table.guid),
    index('podcast_episode_slug').on(table.slug),
    index('podcast_episode_show').on(table.showId),
  ],
);

/** Shows: the podcast in another language, or a separate series. Null columns fall back to the podcast. */
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
    /** Category name as clients send it. */
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

/** File formats of episodes. An episode has at most one file per asset. */
export const podcastAsset = pgTable('podcast_asset', {
  id: id(),
  title: text().notNull(),
  identifier: text().notNull(),
  /** Extension of one of `FILE_TYPES`. */
  fileType: text('file_type').notNull(),
  /** Part of the file name between the episode's slug and the extension. */
  suffix: text().notNull().default(''),
  downloadable: boolean().notNull().default(true),
  position: integer().notNull().default(0),
});

/** Files of episodes, at most one per asset. */
export const podcastMediaFile = pgTable(
  'podcast_media_file',
  {
    id: id(),
    episodeId: reference('episode_id').notNull(),
    assetId: reference('asset_id').notNull(),
    /** Bytes; 0 for a missing file, 1 if unknown. */
    size: bigint({ mode: 'number' }).notNull().default(0),
    etag: text().notNull().default(''),
    /** Duration measured in the file. */
    durationMs: bigint('duration_ms', { mode: 'number' }),
    active: boolean().notNull().default(true),
    checkedAt: utcTimestamp('checked_at'),
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
    /** Episodes per page; 0 uses the podcast's limit, -1 lists all. */
    limitItems: integer('limit_items').notNull().default(0),
    showsContent: boolean('shows_content').notNull().default(true),
    appendsName: boolean('appends_name').notNull().default(false),
    redirectUrl: text('redirect_url').notNull().default(''),
    /** HTTP status of the redirect; 0 for none. */
    redirectStatus: integer('redirect_status').notNull().default(0),
  },
  (table) => [uniqueIndex('podcast_feed_slug').on(table.slug)],
);

/** Counted downloads, one per listener, file and hour. No IP addresses are stored. */
export const podcastDownload = pgTable(
  'podcast_download',
  {
    id: id(),
    fileId: reference('file_id').notNull(),
    episodeId: reference('episode_id').notNull(),
    /** Start of the hour. */
    at: utcTimestamp('at').notNull(),
    /** Hash with a salt that is deleted at the end of the day. */
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

/** Maps an empty string to null, like texts that were never set. Undefined leaves a column unchanged. */
export function emptyToNull(text: string | null | undefined): string | null | undefined {
  return text === '' ? null : text;
}

/** Columns to update. Undefined leaves a column unchanged. */
type ColumnValues<Row> = { [K in keyof Row]?: Row[K] | undefined };

export function omitUndefined<Row>(values: ColumnValues<Row>): Partial<Row> {
  // Safe: only undefined entries are dropped.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Row>;
}
