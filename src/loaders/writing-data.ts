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
  /** By their paths. */
  writings: ReadonlyMap<string, Placed<WritingRecord>>;
}

/** The part of an entry that posts and pages share, but for their translations. */
export function writingData({ record, language, slug, path }: Placed<WritingRecord>, context: WritingContext) {
  const { snapshot, authors, resolveLink, writings } = context;
  const author = authors.get(record.author);
  return {
    sourceId: record.id,
    language,
    title: titleOf({ record, slug }),
    html: rewriteHtml(record.html, {
      resolveLink: (href) => resolveLink(href, language),
      findImage: (src, alt) => findImage(snapshot, src, alt),
      findWriting: (place) => {
        const found = writings.get(place);
        if (!found) return undefined;
        return { title: titleOf(found), excerpt: found.record.excerpt, featured: featuredOf(found, context) };
      },
    }),
    excerpt: record.excerpt,
    published: record.published,
    modified: record.modified,
    author: author?.name,
    authorSlug: author && addressSlug(author),
    featured: featuredOf({ record }, context),
    path,
  };
}

/** Publishing sites let a post go without a title; a link to it needs words. */
function titleOf({ record, slug }: Pick<Placed<WritingRecord>, 'record' | 'slug'>): string {
  return record.title || slug;
}

function featuredOf(
  { record }: Pick<Placed<WritingRecord>, 'record'>,
  { snapshot, media }: Pick<WritingContext, 'snapshot' | 'media'>,
): ImageAsset | undefined {
  const medium = record.featuredMedia === undefined ? undefined : media.get(record.featuredMedia);
  return medium && imageAssetOf(snapshot, medium.url, { alt: medium.alt, caption: medium.caption });
}

/** By its own address, or by that of the original which a publishing site has made it from (`photo-1024x768.jpg`). */
function findImage(snapshot: Pick<SnapshotReader, 'asset'>, src: string, alt: string): ImageAsset | undefined {
  const original = src.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return imageAssetOf(snapshot, original, { alt }) ?? imageAssetOf(snapshot, src, { alt });
}
