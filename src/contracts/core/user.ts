import { z } from 'zod';
import { address, field, links, looseMap } from './field.ts';

export const role = z.enum(['administrator', 'editor', 'author', 'contributor', 'subscriber']);
export type Role = z.infer<typeof role>;

const readOnly = true;
const rights = z.record(z.string(), z.boolean()).optional();

/** A user. The public sees only those who have published something, and only `v` and `m` fields. */
export const user = z
  .object({
    id: field('vem', z.int(), { description: 'Id of the user', readOnly }),
    username: field('e', z.string().optional(), { description: 'Login' }),
    name: field('vem', z.string(), { description: 'Name that is shown' }),
    first_name: field('e', z.string().optional(), { description: 'First name' }),
    last_name: field('e', z.string().optional(), { description: 'Last name' }),
    email: field('e', z.string().optional(), { description: 'E-mail address' }),
    url: field('vem', z.string().meta({ format: 'uri' }), { description: 'Home page' }),
    description: field('vem', z.string(), { description: 'About the user' }),
    link: field('vem', address, { description: 'Address of the page with their posts', readOnly }),
    locale: field('e', z.string().optional(), { description: 'Language of the user' }),
    nickname: field('e', z.string().optional(), { description: 'Nickname' }),
    slug: field('vem', z.string(), { description: 'Name in the address' }),
    roles: field('e', z.array(z.string()).optional(), { description: 'Roles' }),
    registered_date: field('e', z.string().optional(), { description: 'When the account was made', readOnly }),
    capabilities: field('e', rights, { description: 'Everything the user may do', readOnly }),
    extra_capabilities: field('e', rights, { description: 'Roles and rights given to this user alone', readOnly }),
    avatar_urls: field('vem', z.record(z.string(), z.string()).optional(), {
      description: 'Addresses of a picture, by size in pixels',
      readOnly,
    }),
    meta: field('ve', looseMap(z.unknown()).optional(), { description: 'Values by name' }),
    _links: links.optional(),
  })
  .meta({ title: 'user' });

export type User = z.output<typeof user>;
