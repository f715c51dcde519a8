import { z } from 'zod';
import { listPosts } from '../core/routes.ts';
import type { SyncedKind } from './synced-kind.ts';
import {
  listArticleFiles,
  OPTIONAL_ARTICLE_FIELDS,
  postRow,
  projectArticle,
  SWEPT_ARTICLE_FIELDS,
  type ArticleRecord,
} from './article.ts';

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
