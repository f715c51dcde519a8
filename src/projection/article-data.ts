import type { AuthorRecord, MediaRecord, ArticleRecord } from '#contracts/synced/index.ts';
import type { Options } from '#config/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { createExcerpt } from '#catalogue/journal/excerpt.ts';
import { addressSlug } from './address-slug.ts';
import type { ImageAsset } from '#model/entries.ts';
import { toImageAsset } from '#product-index/image-asset.ts';
import type { SiteEntry } from './post-paths.ts';
import type { ResolveLink } from './resolve-links.ts';
import { localFiles } from '#product-index/localise-html.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import { rewriteHtml, rewritingBasis, type HtmlResolvers } from '#product-index/rewrite-html.ts';

export interface ArticleContext {
  snapshot: Pick<SnapshotReader, 'asset'>;
  documents: Options['documents'];
  authors: ReadonlyMap<number, AuthorRecord>;
  media: ReadonlyMap<number, MediaRecord>;
  resolveLink: ResolveLink;
  /** By path. */
  articles: ReadonlyMap<string, SiteEntry<ArticleRecord>>;
}

/** Entry fields that posts and pages share, without translations and text. */
export function articleData({ record, language, slug, path }: SiteEntry<ArticleRecord>, context: ArticleContext) {
  const author = context.authors.get(record.author);
  return {
    sourceId: record.id,
    language,
    title: titleOf({ record, slug }),
    excerpt: excerptIn({ record, language }),
    published: record.published,
    modified: record.modified,
    author: author?.name,
    authorSlug: author && addressSlug(author),
    featured: featuredOf({ record, language }, context),
    path,
  };
}

/** HTML of an article for its entry, with local links, images and copies of files. */
export function articleText(
  { record: { html }, language }: SiteEntry<ArticleRecord>,
  context: ArticleContext,
): Required<Pick<ProjectedEntry, 'html' | 'digestInputs'>> {
  const { snapshot, documents, resolveLink, articles } = context;
  const rewriting: HtmlResolvers = {
    ...localFiles(snapshot, documents),
    resolveLink: (href) => resolveLink(href, language),
    findArticle: (path) => {
      const article = articles.get(path);
      if (!article) return undefined;
      return { title: titleOf(article), excerpt: excerptIn(article), featured: featuredOf(article, context) };
    },
  };
  return { html: () => rewriteHtml(html, rewriting), digestInputs: rewritingBasis(html, rewriting) };
}

/** Caption of an image with local links. Images are removed, because pages don't expect them in captions. */
function captionOf({ caption }: MediaRecord, language: string, context: ArticleContext): string {
  const { snapshot, documents, resolveLink } = context;
  return rewriteHtml(caption, {
    ...localFiles(snapshot, documents),
    findImage: () => undefined,
    resolveLink: (href) => resolveLink(href, language),
    findArticle: () => undefined,
  });
}

/** Publishing sites allow posts without a title, but links to them need a text. */
function titleOf({ record, slug }: Pick<SiteEntry<ArticleRecord>, 'record' | 'slug'>): string {
  return record.title || slug;
}

/** Returns the excerpt written by an editor, or else the beginning of the text. */
function excerptIn({ record, language }: Pick<SiteEntry<ArticleRecord>, 'record' | 'language'>): string {
  return record.excerpt || createExcerpt(record.html, language);
}

function featuredOf(
  { record, language }: Pick<SiteEntry<ArticleRecord>, 'record' | 'language'>,
  context: ArticleContext,
): ImageAsset | undefined {
  const medium = record.featuredMedia === undefined ? undefined : context.media.get(record.featuredMedia);
  if (!medium) return undefined;
  const caption = captionOf(medium, language, context);
  return toImageAsset(context.snapshot, medium.url, { alt: medium.alt, caption });
}
