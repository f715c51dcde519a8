import type { PostEntry } from '#model/entries.ts';
import type { Site } from '../site/load-site.ts';
import { pageList, type PageOfList } from '../site/page-list.ts';

export const POSTS_PER_PAGE = 24;

/** The pages of the journal in a language; none when it has no posts. */
export function journalPages(site: Pick<Site, 'posts'>, language: string): PageOfList<PostEntry>[] {
  const posts = site.posts(language);
  return posts.length === 0 ? [] : pageList(posts, POSTS_PER_PAGE);
}
