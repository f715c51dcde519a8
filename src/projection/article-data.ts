import type { AuthorRecord, MediaRecord, ArticleRecord } from '#contracts/synced/index.ts';
import type { Options } from '#config/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { addressSlug } from './address-slug.ts';
import type { ImageAsset } from '#model/entries.ts';
import { imageAssetOf } from '#product-index/image-asset.ts';
import type { Placed } from './place-posts.ts';
import type { ResolveLink } from './resolve-links.ts';
import { localFiles } from '#product-index/localise-html.ts';
import { rewriteHtml } from '#product-index/rewrite-html.ts';

export interface ArticleContext {
  snapshot: Pick<SnapshotReader, 'asset'>;
  documents: Options['documents'];
  authors: ReadonlyMap<number, AuthorRecord>;
  media: ReadonlyMap<number, MediaRecord>;
  resolveLink: ResolveLink;
  /** By their paths. */
  articles: ReadonlyMap<string, Placed<ArticleRecord>>;
}

/** The part of an entry that posts and pages share, but for their translations. */
export function articleData({ record, language, slug, path }: Placed<ArticleRecord>, context: ArticleContext) {
  const { snapshot, documents, authors, resolveLink, articles } = context;
  const author = authors.get(record.author);
  return {
    sourceId: record.id,
    language,
    title: titleOf({ record, slug }),
    html: rewriteHtml(record.html, {
      ...localFiles(snapshot, documents),
      keepsImages: true,
      resolveLink: (href) => resolveLink(href, language),
      findArticle: (place) => {
        const found = articles.get(place);
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
function titleOf({ record, slug }: Pick<Placed<ArticleRecord>, 'record' | 'slug'>): string {
  return record.title || slug;
}

function featuredOf(
  { record }: Pick<Placed<ArticleRecord>, 'record'>,
  { snapshot, media }: Pick<ArticleContext, 'snapshot' | 'media'>,
): ImageAsset | undefined {
  const medium = record.featuredMedia === undefined ? undefined : media.get(record.featuredMedia);
  return medium && imageAssetOf(snapshot, medium.url, { alt: medium.alt, caption: medium.caption });
}
