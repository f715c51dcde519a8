import { z } from 'zod';
import { listUsers } from '../core/routes.ts';
import { user } from '../core/user.ts';
import type { SyncedKind } from './synced-kind.ts';

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
