import { z } from 'zod';
import { tooLong, wireList, wireText } from '../wire.ts';
import { address, field, links, looseMap } from './field.ts';
import { MAX_NAME_LENGTH, writeBody } from './write-body.ts';

export const role = z.enum(['administrator', 'editor', 'author', 'contributor', 'subscriber']);
export type Role = z.infer<typeof role>;

/** Locale of the site's texts. */
export const SITE_LOCALE = 'en_US';
/** Selectable locales; the empty one selects that of the site. */
export const LOCALES = ['', SITE_LOCALE] as const;

const readOnly = true;
const rights = z.record(z.string(), z.boolean()).optional();

/** A user. Public responses contain only users with published content, and only `v` and `m` fields. */
export const user = z
  .object({
    id: field('vem', z.int(), { description: 'Id of the user', readOnly }),
    username: field('e', z.string().optional(), { description: 'Login' }),
    name: field('vem', z.string(), { description: 'Display name' }),
    first_name: field('e', z.string().optional(), { description: 'First name' }),
    last_name: field('e', z.string().optional(), { description: 'Last name' }),
    email: field('e', z.string().optional(), { description: 'E-mail address' }),
    url: field('vem', z.string().meta({ format: 'uri' }), { description: 'Website' }),
    description: field('vem', z.string(), { description: 'Biography' }),
    link: field('vem', address, { description: 'URL of the author page', readOnly }),
    locale: field(
      'e',
      z
        .string()
        .meta({ enum: [...LOCALES] })
        .optional(),
      { description: 'Locale of the user; empty for that of the site' },
    ),
    nickname: field('e', z.string().optional(), { description: 'Nickname' }),
    slug: field('vem', z.string(), { description: 'Slug' }),
    roles: field('e', z.array(z.string()).optional(), { description: 'Roles' }),
    registered_date: field('e', z.string().optional(), { description: 'Date of registration', readOnly }),
    capabilities: field('e', rights, { description: 'All capabilities of the user', readOnly }),
    extra_capabilities: field('e', rights, { description: 'Roles and individually granted capabilities', readOnly }),
    avatar_urls: field('vem', z.record(z.string(), z.string()).optional(), {
      description: 'Avatar URLs by size in pixels',
      readOnly,
    }),
    meta: field('ve', looseMap(z.unknown()).optional(), { description: 'Meta fields', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'user' });

/** Limit of mail servers (RFC 5321). */
export const MAX_EMAIL_LENGTH = 320;
const MAX_ADDRESS_LENGTH = 2048;

/** An http(s) URL, or an empty string. */
export const homePage = z
  .string()
  .refine(
    (text) => text === '' || (text.length <= MAX_ADDRESS_LENGTH && /^https?:/i.test(text) && URL.canParse(text)),
    {
      error: 'is not an http(s) URL',
    },
  )
  .meta({ format: 'uri' });

/** Minimum length of a login password. */
export const MIN_PASSWORD_LENGTH = 8;

export const userBody = writeBody(user, {
  username: z.string().regex(/^[\w.@-]{1,60}$/),
  name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.email().refine((address) => address.length <= MAX_EMAIL_LENGTH, { params: tooLong(MAX_EMAIL_LENGTH) }),
  url: homePage,
  description: z.string(),
  locale: z.enum(LOCALES),
  nickname: z.string(),
  slug: wireText(MAX_NAME_LENGTH),
  roles: wireList(z.string()),
}).extend({
  password: z
    .string()
    .min(MIN_PASSWORD_LENGTH)
    .max(1024)
    .optional()
    .meta({ description: 'Login password; never returned' }),
});

export type User = z.output<typeof user>;
