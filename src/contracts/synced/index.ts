import { AUTHOR, CATEGORY, MEDIA, PAGE, POST, TAG } from './synced-records.ts';
import { SYNCED_NAMES, type SyncedKind, type SyncedRecord } from './synced-kind.ts';
import { EPISODE, PLAYER, PODCAST, SHOW } from './podcast.ts';
import { HEAD } from './seo.ts';

const BY_NAME = {
  media: MEDIA,
  category: CATEGORY,
  tag: TAG,
  author: AUTHOR,
  post: POST,
  page: PAGE,
  podcast: PODCAST,
  show: SHOW,
  player: PLAYER,
  episode: EPISODE,
  head: HEAD,
} satisfies Record<(typeof SYNCED_NAMES)[number], SyncedKind>;

/** All kinds that a sync reads from a publishing site, in reading order. */
export const SYNCED_KINDS: readonly SyncedKind[] = SYNCED_NAMES.map((name) => BY_NAME[name]);

/** Stored records by kind. */
export type SyncedRecords = { [Name in keyof typeof BY_NAME]: StoredRecord<(typeof BY_NAME)[Name]> };

type StoredRecord<Kind> = Kind extends SyncedKind<infer R extends SyncedRecord> ? R : never;

/** A kind by its name, or by the declaration of a custom kind. */
export type KindReference = keyof SyncedRecords | SyncedKind;

/** Stored record of a kind. */
export type RecordOf<Kind extends KindReference> = Kind extends keyof SyncedRecords
  ? SyncedRecords[Kind]
  : StoredRecord<Kind>;

export * from './article.ts';
export * from './head-record.ts';
export * from './podcast.ts';
export * from './seo.ts';
export * from './synced-kind.ts';
export * from './synced-records.ts';
