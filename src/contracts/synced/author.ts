import { listUsers, type User } from '../core/index.ts';
import type { SyncedKind } from './synced-kind.ts';

export interface AuthorRecord {
  id: number;
  slug: string;
  /** Permanent address at the publishing site; unknown in a snapshot of an earlier version. */
  link?: string;
  name: string;
  description: string;
  url: string;
}

export const AUTHOR: SyncedKind<AuthorRecord> = {
  kind: 'author',
  noun: 'author',
  list: listUsers,
  // An account may see all users; without one, this is what a server shows.
  query: { has_published_posts: true },
  changes: 'by digest',
  optional: true,
  project: ({ id, slug, link, name, description, url }: User, texts) => ({
    id,
    slug,
    link,
    name: texts.plain(name),
    description: texts.plain(description),
    url,
  }),
};
