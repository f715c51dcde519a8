import { listMedia, type Media } from '../core/index.ts';
import { toUtc, type SyncedKind } from './synced-kind.ts';

export interface MediaRecord {
  id: number;
  slug: string;
  /** Plain text. */
  title: string;
  /** Address of the file; `asset(url)` has it where it was fetched. */
  url: string;
  mimeType: string;
  alt: string;
  /** Sanitised HTML. */
  caption: string;
  modified: string;
}

export const MEDIA: SyncedKind<MediaRecord> = {
  kind: 'media',
  noun: 'media item',
  list: listMedia,
  changes: 'by date',
  project: (row: Media, texts) => {
    // A file takes the status of what it is attached to; one that stands alone is published.
    if (!['inherit', 'publish'].includes(row.status)) return undefined;
    return {
      id: row.id,
      slug: row.slug,
      title: texts.plain(row.title.rendered),
      url: row.source_url,
      mimeType: row.mime_type,
      alt: row.alt_text,
      // It stands on the page of a post, whose ids have the usual prefix.
      caption: texts.html(row.caption.rendered, row.link, 'user-caption-'),
      modified: toUtc(row.modified_gmt),
    };
  },
  references: ({ url, mimeType }) => (mimeType.startsWith('image/') ? [{ address: url, kind: 'image' }] : []),
};
