import { AUTHOR, PAGE, type SyncedRecords, POST } from './synced-records.ts';
import { SYNCED_NAMES, type SyncedKind } from './synced-kind.ts';
import { CATEGORY, MEDIA, TAG } from './synced-records.ts';
import { EPISODE, PLAYER, PODCAST, SHOW } from './podcast.ts';
import { HEAD } from './seo.ts';

const BY_NAME: { readonly [Name in keyof SyncedRecords]: SyncedKind<SyncedRecords[Name]> } = {
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
};

/** All kinds that a sync reads from a publishing site, in reading order. */
export const SYNCED_KINDS: readonly SyncedKind[] = SYNCED_NAMES.map((name) => BY_NAME[name]);

export { AUTHOR, CATEGORY, EPISODE, HEAD, MEDIA, PAGE, PLAYER, PODCAST, POST, SHOW, TAG };
export type { AuthorRecord } from './synced-records.ts';
export type { MediaRecord, TermRecord } from './synced-records.ts';
export type { PageRecord } from './synced-records.ts';
export type { EpisodeRecord, PlayerRecord, PodcastRecord, ShowRecord } from './podcast.ts';
export type { PostRecord } from './synced-records.ts';
export {
  ADDRESS_SETTING,
  isHiddenFromSearch,
  hasForeignCanonical,
  SEARCH_SETTING,
  findHeadSubject,
  type HeadRow,
} from './seo.ts';
export { SUBJECT_KINDS, type HeadRecord, type HeadSubject } from './head-record.ts';
export {
  listKindRoutes,
  toUtc,
  type FileReference,
  type SyncedKind,
  type SyncedRecord,
  type TextConverters,
  type RowWarningReporter,
} from './synced-kind.ts';
export type { KindReference, RecordOf, SyncedRecords } from './synced-records.ts';
export type { ArticleRecord } from './article.ts';
