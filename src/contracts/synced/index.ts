import { AUTHOR } from './author.ts';
import { MEDIA } from './media.ts';
import { PAGE } from './page.ts';
import { EPISODE, PLAYER, PODCAST, SHOW } from './podcast.ts';
import { POST } from './post.ts';
import { HEAD } from './seo.ts';
import type { SyncedKind } from './synced-kind.ts';
import { CATEGORY, TAG } from './term.ts';

/** All that a sync reads of a publishing site, in the order of reading: what others refer to comes first. */
export const SYNCED_KINDS: readonly SyncedKind[] = [
  MEDIA,
  CATEGORY,
  TAG,
  AUTHOR,
  POST,
  PAGE,
  PODCAST,
  SHOW,
  PLAYER,
  EPISODE,
  HEAD,
];

export { AUTHOR, CATEGORY, EPISODE, HEAD, MEDIA, PAGE, PLAYER, PODCAST, POST, SHOW, TAG };
export type { AuthorRecord } from './author.ts';
export type { MediaRecord } from './media.ts';
export type { PageRecord } from './page.ts';
export type { EpisodeRecord, PlayerRecord, PodcastRecord, ShowRecord } from './podcast.ts';
export type { PostRecord } from './post.ts';
export { subjectOf, type HeadRecord, type HeadRow, type HeadSubject } from './seo.ts';
export { toUtc, type FileReference, type SyncedKind, type SyncedRecord, type TextTools } from './synced-kind.ts';
export type { TermRecord } from './term.ts';
export type { ArticleRecord } from './article.ts';
