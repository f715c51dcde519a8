import type { PostEntry } from '#model/entries.ts';

/** What lists show of a post. */
export type TeasedPost = Pick<PostEntry, 'title' | 'path' | 'excerpt' | 'published' | 'categories' | 'featured'>;

/** What stands beside a post's text. */
export type ReadPost = Pick<
  PostEntry,
  'published' | 'modified' | 'author' | 'authorSlug' | 'categories' | 'tags' | 'html'
>;
