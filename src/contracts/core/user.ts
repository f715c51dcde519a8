import { z } from 'zod';
import { tooLong, wireList, wireText } from '../wire.ts';
import { address, field, links, looseMap } from './field.ts';
import { MAX_NAME_LENGTH, writeBody } from './write-body.ts';

export const role = z.enum(['administrator', 'editor', 'author', 'contributor', 'subscriber']);
export type Role = z.infer<typeof role>;

/** The language of the site's own words. */
export const SITE_LOCALE = 'en_US';
/** Languages that users can choose, and nothing for that of the site. */
export const LOCALES = ['', SITE_LOCALE] as const;

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
    locale: field(
      'e',
      z
        .string()
        .meta({ enum: [...LOCALES] })
        .optional(),
      { description: 'Language of the user; empty: that of the site' },
    ),
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
    meta: field('ve', looseMap(z.unknown()).optional(), { description: 'Values by name', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'user' });

/** As long as mail servers take them (RFC 5321). */
export const MAX_EMAIL_LENGTH = 320;
const MAX_ADDRESS_LENGTH = 2048;

/** An address that a browser may open, or none. */
export const homePage = z
  .string()
  .refine(
    (text) => text === '' || (text.length <= MAX_ADDRESS_LENGTH && /^https?:/i.test(text) && URL.canParse(text)),
    {
      error: 'is not an address that begins with http: or https:',
    },
  )
  .meta({ format: 'uri' });

/** Of passwords to sign in with. */
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
    .meta({ description: 'Password to sign in with; never shown' }),
});

export type User = z.output<typeof user>;
