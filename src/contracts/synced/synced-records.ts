import { category, tag } from '../core/site-resources.ts';
import { media } from '../core/media.ts';
import { toUtc, type SyncedKind, type TextConverters } from './synced-kind.ts';
import { z } from 'zod';
import { listCategories, listMedia, listPages, listPosts, listTags } from '../core/routes.ts';
import {
  OPTIONAL_ARTICLE_FIELDS,
  pageRow,
  projectArticle,
  SWEPT_ARTICLE_FIELDS,
  type ArticleRecord,
  postRow,
} from './article.ts';
import { user, listUsers } from '../core/user-routes.ts';

export interface AuthorRecord {
  id: number;
  slug: string;
  /** Permanent URL at the publishing site; missing in snapshots of earlier versions. */
  link?: string;
  name: string;
  description: string;
  url: string;
}

const row = user.pick({ id: true, slug: true, link: true, name: true }).extend({
  description: user.shape.description.nullish(),
  url: user.shape.url.nullish(),
});

export const AUTHOR: SyncedKind<AuthorRecord> = {
  kind: 'author',
  noun: 'author',
  list: { ...listUsers, response: z.array(row) },
  // Signed-in callers see all users; this filter returns those that anonymous callers see.
  query: { has_published_posts: true },
  changes: 'by digest',
  optional: true,
  optionalFields: { description: 'description', url: 'url' },
  project: ({ id, slug, link, name, description, url }: z.output<typeof row>, texts) => ({
    id,
    slug,
    link,
    name: texts.plain(name),
    description: texts.plain(description ?? ''),
    url: url ?? '',
  }),
};

export interface PostRecord extends ArticleRecord {
  sticky: boolean;
  format: string;
  /** Ids of terms. */
  categories: number[];
  tags: number[];
}

const POST_FIELDS = { sticky: 'sticky', format: 'format', categories: 'categories', tags: 'tags' };

export const POST: SyncedKind<PostRecord> = {
  kind: 'post',
  noun: 'post',
  list: { ...listPosts, response: z.array(postRow) },
  changes: 'by date',
  sweptFields: { ...SWEPT_ARTICLE_FIELDS, ...POST_FIELDS },
  optionalFields: { ...OPTIONAL_ARTICLE_FIELDS, ...POST_FIELDS },
  project: (post: z.output<typeof postRow>, texts) => {
    const { sticky, format, categories, tags } = post;
    const article = projectArticle(post, texts);
    return (
      article && {
        ...article,
        sticky: sticky ?? false,
        format: format ?? 'standard',
        categories: categories ?? [],
        tags: tags ?? [],
      }
    );
  },
  references: ({ html }, filesIn) => filesIn(html),
};

export interface PageRecord extends ArticleRecord {
  /** Id of the parent page. */
  parent: number | undefined;
  menuOrder: number;
}

export const PAGE: SyncedKind<PageRecord> = {
  kind: 'page',
  noun: 'page',
  list: { ...listPages, response: z.array(pageRow) },
  changes: 'by date',
  sweptFields: { ...SWEPT_ARTICLE_FIELDS, parent: 'parent', menuOrder: 'menu_order' },
  optionalFields: { ...OPTIONAL_ARTICLE_FIELDS, parent: 'parent', menu_order: 'menuOrder' },
  project: (page: z.output<typeof pageRow>, texts) => {
    const article = projectArticle(page, texts);
    return article && { ...article, parent: page.parent || undefined, menuOrder: page.menu_order ?? 0 };
  },
  references: ({ html }, filesIn) => filesIn(html),
};

export interface TermRecord {
  id: number;
  taxonomy: 'category' | 'tag';
  slug: string;
  /** Permanent URL at the publishing site; missing in snapshots of earlier versions. */
  link?: string;
  /** Plain text. */
  name: string;
  description: string;
  /** Id of the parent category. */
  parent: number | undefined;
}

const FIELDS = { id: true, taxonomy: true, slug: true, link: true, name: true } as const;
const tagRow = tag.pick(FIELDS).extend({ description: tag.shape.description.nullish() });
const categoryRow = category.pick(FIELDS).extend({
  description: category.shape.description.nullish(),
  parent: category.shape.parent.nullish(),
});

export const CATEGORY: SyncedKind<TermRecord> = {
  kind: 'category',
  noun: 'category',
  list: { ...listCategories, response: z.array(categoryRow) },
  changes: 'by digest',
  optionalFields: { description: 'description', parent: 'parent' },
  project: projectTerm,
};

export const TAG: SyncedKind<TermRecord> = {
  kind: 'tag',
  noun: 'tag',
  list: { ...listTags, response: z.array(tagRow) },
  changes: 'by digest',
  optionalFields: { description: 'description' },
  project: projectTerm,
};

function projectTerm(row: z.output<typeof categoryRow> | z.output<typeof tagRow>, texts: TextConverters): TermRecord {
  return {
    id: row.id,
    taxonomy: row.taxonomy === 'category' ? 'category' : 'tag',
    slug: row.slug,
    link: row.link,
    name: texts.plain(row.name),
    description: texts.plain(row.description ?? ''),
    parent: ('parent' in row && row.parent) || undefined,
  };
}

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
