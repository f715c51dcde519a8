import { listPosts, type Post } from '../core/index.ts';
import type { SyncedKind } from './synced-kind.ts';
import { filesOfArticle, projectArticle, type ArticleRecord } from './article.ts';

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
  list: listPosts,
  changes: 'by date',
  project: (post: Post, texts) => {
    const { sticky, format, categories, tags } = post;
    const article = projectArticle(post, texts);
    return article && { ...article, sticky, format, categories, tags };
  },
  references: filesOfArticle,
};
