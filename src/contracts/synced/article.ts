import { z } from 'zod';
import { page, post } from '../core/index.ts';
import { htmlText } from '../html/index.ts';
import { toUtc, type FileReference, type TextTools } from './synced-kind.ts';

/**
 * Fields of a row that a record is made of. Servers and plug-ins differ in the rest, and leave out what a page can do
 * without.
 */
const shared = post
  .pick({ id: true, slug: true, status: true, link: true, content: true, date_gmt: true, modified_gmt: true })
  .extend({
    title: post.shape.title.nullish(),
    excerpt: post.shape.excerpt.nullish(),
    author: post.shape.author.nullish(),
    featured_media: post.shape.featured_media.nullish(),
    meta: post.shape.meta.nullish(),
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

/** What posts and pages share. */
export interface ArticleRecord {
  id: number;
  slug: string;
  /** Permanent address at the publishing site. */
  link: string;
  /** Plain text. */
  title: string;
  /** Sanitised; addresses in it are absolute, but for `#fragments`. */
  html: string;
  /** Plain text. */
  excerpt: string;
  /** ISO, UTC. */
  published: string;
  /** ISO, UTC. */
  modified: string;
  /** Id of the author. */
  author: number;
  /** Id of the media item. */
  featuredMedia: number | undefined;
  /** Texts of the site's extensions, such as `_seo_title`; empty ones are left out. */
  meta: Record<string, string>;
}

/** Undefined unless it is public. */
export function projectArticle(article: z.output<typeof shared>, texts: TextTools): ArticleRecord | undefined {
  const { id, slug, status, link, title, content, excerpt, author } = article;
  if (status !== 'publish' || content.protected || excerpt?.protected) return undefined;
  const html = texts.html(content.rendered, link);
  return {
    id,
    slug,
    link,
    title: texts.plain(title?.rendered ?? ''),
    html,
    excerpt: excerptOf(texts.plain(excerpt?.rendered ?? ''), html),
    published: toUtc(article.date_gmt ?? article.modified_gmt),
    modified: toUtc(article.modified_gmt),
    author: author ?? 0,
    featuredMedia: article.featured_media || undefined,
    meta: textsOf(article.meta ?? {}),
  };
}

export function filesOfArticle({ html }: ArticleRecord, filesIn: (html: string) => FileReference[]): FileReference[] {
  return filesIn(html);
}

/** The end of an excerpt that a publishing site has cut. */
const CUT = /(?:\[…\]|\[\.\.\.\]|…|\.\.\.)$/;

/**
 * An excerpt that a publishing site has cut out of the text: such sites leave tags out without a trace, so that cells
 * and blocks become one word. Then it is cut out of our text at the same place. What somebody wrote stays as it is.
 */
function excerptOf(excerpt: string, html: string): string {
  const end = CUT.exec(excerpt)?.[0] ?? '';
  const words = excerpt.slice(0, excerpt.length - end.length).trimEnd();
  const length = words.replaceAll(/\s/g, '').length;
  const text = htmlText(html);
  let cut = 0;
  for (let count = 0; cut < text.length && count < length; cut += 1) if (!/\s/.test(text[cut] ?? '')) count += 1;
  const own = text.slice(0, cut);
  return own.replaceAll(/\s/g, '') === words.replaceAll(/\s/g, '') ? own + excerpt.slice(words.length) : excerpt;
}

function textsOf(meta: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => (typeof value === 'string' && value !== '' ? [[key, value]] : [])),
  );
}
