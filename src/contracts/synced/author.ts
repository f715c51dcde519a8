import { listUsers, type User } from '../core/index.ts';
import type { SyncedKind } from './synced-kind.ts';

export interface AuthorRecord {
  id: number;
  slug: string;
  name: string;
  description: string;
  url: string;
}

export const AUTHOR: SyncedKind<AuthorRecord> = {
  kind: 'author',
  noun: 'author',
  list: listUsers,
  changes: 'by digest',
  optional: true,
  project: ({ id, slug, name, description, url }: User, texts) => ({
    id,
    slug,
    name: texts.plain(name),
    description: texts.plain(description),
    url,
  }),
};
