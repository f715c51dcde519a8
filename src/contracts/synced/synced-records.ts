import type { AuthorRecord } from './author.ts';
import type { MediaRecord } from './media.ts';
import type { PageRecord } from './page.ts';
import type { EpisodeRecord, PlayerRecord, PodcastRecord, ShowRecord } from './podcast.ts';
import type { PostRecord } from './post.ts';
import type { HeadRecord } from './seo.ts';
import type { SyncedKind, SyncedRecord } from './synced-kind.ts';
import type { TermRecord } from './term.ts';

/** Stored records by kind. Readers of the snapshot need only this, without the schemas of the sync. */
export interface SyncedRecords {
  media: MediaRecord;
  category: TermRecord;
  tag: TermRecord;
  author: AuthorRecord;
  post: PostRecord;
  page: PageRecord;
  podcast: PodcastRecord;
  show: ShowRecord;
  player: PlayerRecord;
  episode: EpisodeRecord;
  head: HeadRecord;
}

/** A kind by its name, or by the declaration of a custom kind. */
export type KindReference = keyof SyncedRecords | SyncedKind;

/** Stored record of a kind. */
export type RecordOf<Kind extends KindReference> = Kind extends keyof SyncedRecords
  ? SyncedRecords[Kind]
  : Kind extends SyncedKind<infer R extends SyncedRecord>
    ? R
    : never;
