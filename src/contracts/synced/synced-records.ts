import type { MediaRecord, SyncedKind, SyncedRecord, TermRecord } from './synced-kind.ts';
import type { EpisodeRecord, PlayerRecord, PodcastRecord, ShowRecord } from './podcast.ts';
import type { HeadRecord } from './seo.ts';
import { z } from 'zod';
import { listPages, listPosts, listUsers } from '../core/routes.ts';
import {
  listArticleFiles,
  OPTIONAL_ARTICLE_FIELDS,
  pageRow,
  projectArticle,
  SWEPT_ARTICLE_FIELDS,
  type ArticleRecord,
  postRow,
} from './article.ts';
import { user } from '../core/user.ts';

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

export const POST: SyncedKind<PostRecord> = {
  kind: 'post',
  noun: 'post',
  list: { ...listPosts, response: z.array(postRow) },
  changes: 'by date',
  sweptFields: {
    ...SWEPT_ARTICLE_FIELDS,
    sticky: 'sticky',
    format: 'format',
    categories: 'categories',
    tags: 'tags',
  },
  optionalFields: {
    ...OPTIONAL_ARTICLE_FIELDS,
    sticky: 'sticky',
    format: 'format',
    categories: 'categories',
    tags: 'tags',
  },
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
  references: listArticleFiles,
};

/** Stored records by kind. Readers of the snapshot need only this, without the schemas of the sync. */
export interface SyncedRecords {
  media: MediaRecord;
  category: TermRecord;
  tag: TermRecord;
  author: AuthorRecord;
  post: PostRecord;
  page: PageRecord;
  podcast: PodcastRecord;
  show: ShowRecord;
  player: PlayerRecord;
  episode: EpisodeRecord;
  head: HeadRecord;
}

/** A kind by its name, or by the declaration of a custom kind. */
export type KindReference = keyof SyncedRecords | SyncedKind;

/** Stored record of a kind. */
export type RecordOf<Kind extends KindReference> = Kind extends keyof SyncedRecords
  ? SyncedRecords[Kind]
  : Kind extends SyncedKind<infer R extends SyncedRecord>
    ? R
    : never;

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
  references: listArticleFiles,
};
