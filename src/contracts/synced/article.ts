import { z } from 'zod';
import { page, post } from '../core/post.ts';
import { toUtc, type TextConverters } from './synced-kind.ts';
import type { DraftRecord } from './draft.ts';
import { htmlText } from '../html/html-text.ts';

/** Suffix of generated excerpts. */
const CUT = /(?:\[…\]|\[\.{3}\])$/;
/** Suffix of some generated excerpts, but also of manual ones. */
const ELLIPSIS = /(?:…|\.{3})$/;

/** True if an excerpt was generated from the text. Generated excerpts end anywhere, and join blocks without spaces. */
export function isGeneratedExcerpt(excerpt: string, html: string): boolean {
  if (CUT.test(excerpt)) return true;
  const text = withoutSpaces(htmlText(html));
  return ELLIPSIS.test(excerpt)
    ? text.startsWith(withoutSpaces(excerpt.replace(ELLIPSIS, '')))
    : text === withoutSpaces(excerpt);
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');

/** Fields of a row that a record needs. Servers and plug-ins differ in the others, and omit optional ones. */
const shared = post
  .pick({ id: true, slug: true, status: true, link: true, content: true, date_gmt: true, modified_gmt: true })
  .extend({
    title: post.shape.title.nullish(),
    excerpt: post.shape.excerpt.nullish(),
    author: post.shape.author.nullish(),
    featured_media: post.shape.featured_media.nullish(),
  });
export const postRow = shared.extend({
  sticky: post.shape.sticky.nullish(),
  format: post.shape.format.nullish(),
  categories: post.shape.categories.nullish(),
  tags: post.shape.tags.nullish(),
});
export const pageRow = shared.extend({
  parent: page.shape.parent.nullish(),
  menu_order: page.shape.menu_order.nullish(),
});

/** Shared fields of posts and pages. */
export interface ArticleRecord {
  id: number;
  slug: string;
  /** Permanent address at the publishing site. */
  link: string;
  /** Plain text. */
  title: string;
  /** Sanitised; URLs are absolute, except for `#fragments`. */
  html: string;
  /** Plain text; empty unless an editor wrote one. */
  excerpt: string;
  /** ISO, UTC. */
  published: string;
  /** ISO, UTC. */
  modified: string;
  /** Id of the author. */
  author: number;
  /** Id of the media item. */
  featuredMedia: number | undefined;
  draft?: DraftRecord;
}

/** Fields that change together with other rows: URLs with parent pages, authors and images with deletions. */
export const SWEPT_ARTICLE_FIELDS = { slug: 'slug', link: 'link', author: 'author', featuredMedia: 'featured_media' };

/** Optional fields of posts and pages, as `optionalFields`. */
export const OPTIONAL_ARTICLE_FIELDS = { excerpt: 'excerpt', author: 'author', featured_media: 'featuredMedia' };

/** Creates the record of a post or page; undefined unless it is public. */
export function projectArticle(article: z.output<typeof shared>, texts: TextConverters): ArticleRecord | undefined {
  const { id, slug, status, link, title, content, excerpt, author } = article;
  if (status !== 'publish' || content.protected || excerpt?.protected) return undefined;
  const html = texts.html(content.rendered, link);
  const excerptText = texts.plain(excerpt?.rendered ?? '');
  return {
    id,
    slug,
    link,
    title: texts.plain(title?.rendered ?? ''),
    html: nameQuotedByAddress(html, link),
    excerpt: isGeneratedExcerpt(excerptText, html) ? '' : excerptText,
    published: toUtc(article.date_gmt ?? article.modified_gmt),
    modified: toUtc(article.modified_gmt),
    author: author ?? 0,
    featuredMedia: article.featured_media || undefined,
  };
}

/**
 * Replaces the text of embedded cards of the same site by their URL. Pages insert the title of the quoted article, so
 * that a new title doesn't change the quoting articles.
 */
export function nameQuotedByAddress(html: string, link: string): string {
  if (!html.includes('data-embed')) return html;
  const host = URL.parse(link)?.hostname.replace(/^www\./, '');
  return html.replace(QUOTED, (whole, tag: string, attributes: string) =>
    PROVIDER.exec(attributes)?.[1] === host ? `${tag}${HREF.exec(attributes)?.[1] ?? ''}</a>` : whole,
  );
}

const QUOTED = /(<a ([^<>]*data-embed="[^<>]*)>)[^<]*<\/a>/g;
const PROVIDER = /data-embed="([^"]*)"/;
const HREF = /href="([^"]*)"/;
