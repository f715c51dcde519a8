import { listPosts, type Post } from '../core/index.ts';
import type { SyncedKind } from './synced-kind.ts';
import { filesOfWriting, projectWriting, type ArticleRecord } from './writing.ts';

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
    const writing = projectWriting(post, texts);
    return writing && { ...writing, sticky, format, categories, tags };
  },
  references: filesOfWriting,
};
