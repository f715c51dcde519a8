import type { AuthorRecord, MediaRecord, SnapshotReader, WritingRecord } from '../snapshot/index.ts';
import { addressSlug } from './address-slug.ts';
import type { ImageAsset } from './entries.ts';
import { imageAssetOf } from './image-asset.ts';
import type { Placed } from './place-posts.ts';
import type { ResolveLink } from './resolve-links.ts';
import { rewriteHtml } from './rewrite-html.ts';

export interface WritingContext {
  snapshot: Pick<SnapshotReader, 'asset'>;
  authors: ReadonlyMap<number, AuthorRecord>;
  media: ReadonlyMap<number, MediaRecord>;
  resolveLink: ResolveLink;
}

/** The part of an entry that posts and pages share, but for their translations. */
export function writingData({ record, language, slug, path }: Placed<WritingRecord>, context: WritingContext) {
  const { snapshot, authors, media, resolveLink } = context;
  const medium = record.featuredMedia === undefined ? undefined : media.get(record.featuredMedia);
  const author = authors.get(record.author);
  return {
    sourceId: record.id,
    language,
    // Publishing sites let a post go without a title; a link to it needs words.
    title: record.title || slug,
    html: rewriteHtml(record.html, {
      resolveLink: (href) => resolveLink(href, language),
      findImage: (src, alt) => findImage(snapshot, src, alt),
    }),
    excerpt: record.excerpt,
    published: record.published,
    modified: record.modified,
    author: author?.name,
    authorSlug: author && addressSlug(author),
    featured: medium && imageAssetOf(snapshot, medium.url, { alt: medium.alt, caption: medium.caption }),
    path,
  };
}

/** By its own address, or by that of the original which a publishing site has made it from (`photo-1024x768.jpg`). */
function findImage(snapshot: Pick<SnapshotReader, 'asset'>, src: string, alt: string): ImageAsset | undefined {
  const original = src.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return imageAssetOf(snapshot, original, { alt }) ?? imageAssetOf(snapshot, src, { alt });
}
