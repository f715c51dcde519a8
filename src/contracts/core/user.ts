import { z } from 'zod';
import { field, links } from './field.ts';

export const role = z.enum(['administrator', 'editor', 'author', 'contributor', 'subscriber']);
export type Role = z.infer<typeof role>;

/** A user. The public sees only those who have published something, and only `v` and `m` fields. */
export const user = z.object({
  id: field('vem', z.int()),
  username: field('e', z.string().optional()),
  name: field('vem', z.string()),
  first_name: field('e', z.string().optional()),
  last_name: field('e', z.string().optional()),
  email: field('e', z.string().optional()),
  url: field('vem', z.string()),
  description: field('vem', z.string()),
  link: field('vem', z.string()),
  locale: field('e', z.string().optional()),
  nickname: field('e', z.string().optional()),
  slug: field('vem', z.string()),
  roles: field('e', z.array(z.string()).optional()),
  registered_date: field('e', z.string().optional()),
  capabilities: field('e', z.record(z.string(), z.boolean()).optional()),
  extra_capabilities: field('e', z.record(z.string(), z.boolean()).optional()),
  avatar_urls: field('vem', z.record(z.string(), z.string()).optional()),
  meta: field('ve', z.union([z.record(z.string(), z.unknown()), z.tuple([])]).optional()),
  _links: links.optional(),
});

export type User = z.output<typeof user>;
