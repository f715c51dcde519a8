import { z } from 'zod';
import { listMedia } from '../core/routes.ts';
import { media } from '../core/media.ts';
import { toUtc, type SyncedKind } from './synced-kind.ts';

const { shape } = media;
/** Fields of a row that a record needs. */
const mediaRow = media
  .pick({ id: true, slug: true, status: true, modified_gmt: true, mime_type: true, source_url: true })
  .extend({
    link: shape.link.nullish(),
    title: shape.title.nullish(),
    caption: shape.caption.nullish(),
    alt_text: shape.alt_text.nullish(),
  });

export interface MediaRecord {
  id: number;
  slug: string;
  /** URL of its page at the publishing site; missing in snapshots of earlier versions. */
  link?: string;
  /** Plain text. */
  title: string;
  /** URL of the file; `asset(url)` returns the fetched copy. */
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
  list: { ...listMedia, response: z.array(mediaRow) },
  changes: 'by date',
  optionalFields: { title: 'title', alt_text: 'alt', caption: 'caption' },
  project: (row: z.output<typeof mediaRow>, texts) => {
    // An attached file has the status of its parent; other files are published.
    if (!['inherit', 'publish'].includes(row.status)) return undefined;
    return {
      id: row.id,
      slug: row.slug,
      ...(row.link && { link: row.link }),
      title: texts.plain(row.title?.rendered ?? ''),
      url: row.source_url,
      mimeType: row.mime_type,
      alt: row.alt_text ?? '',
      // Captions appear on post pages, whose ids use the default prefix.
      caption: texts.html(row.caption?.rendered ?? '', row.link ?? '', { idPrefix: 'user-caption-', field: 'caption' }),
      modified: toUtc(row.modified_gmt),
    };
  },
  references: ({ url, mimeType }) => (mimeType.startsWith('image/') ? [{ address: url, kind: 'image' }] : []),
};
