import { z } from 'zod';
import { context, field, links, MAX_PER_PAGE } from './core/index.ts';
import { route } from './route.ts';
import { wireBoolean, wireInteger } from './wire.ts';

const readOnly = true;
const ANYTHING = ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'];
const checkedFirst = true;
const schema = z.record(z.string(), z.unknown());

/** Something a program may have done, with what goes in and what comes out. */
export const ability = z
  .object({
    name: field('vem', z.string(), { description: 'Namespace and name', readOnly }),
    label: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    description: field('ve', z.string(), { description: 'What it does', readOnly }),
    category: field('vem', z.string(), { description: 'Category', readOnly }),
    input_schema: field('ve', schema, { description: 'JSON schema of what goes in', readOnly }),
    output_schema: field('ve', schema, { description: 'JSON schema of what comes out', readOnly }),
    meta: field('ve', schema, { description: 'What running it means', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'ability' });

export const abilityCategory = z
  .object({
    slug: field('vem', z.string(), { description: 'Name in addresses', readOnly }),
    label: field('vem', z.string(), { description: 'Name that is shown', readOnly }),
    description: field('vem', z.string(), { description: 'What its abilities are about', readOnly }),
    meta: field('vem', z.union([schema, z.tuple([])]), { description: 'Values by name', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'ability-category' });

const paged = z.object({
  context: context.default('view').meta({ description: 'Which fields are shown', checkedFirst }),
  page: wireInteger({ minimum: 1 }).default(1).meta({ description: 'Page of the list', checkedFirst }),
  per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE })
    .default(50)
    .meta({ description: 'Rows on a page', checkedFirst }),
});

const NAME = String.raw`[a-zA-Z0-9\-\/]+`;
const name = z
  .string()
  .regex(new RegExp(`^${NAME}$`))
  .meta({ description: 'Namespace and name' });
const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .meta({ description: 'Name of the category' });

const annotation = (description: string) => wireBoolean.nullable().optional().meta({ description });
const additionalProperties = true;

/** A text under the label that stock servers show it by. */
const labelled = (title: string, description: string) => z.string().meta({ title, description });

/** What the ability `core/get-site-info` answers. The product in two labels is the one whose interface this is. */
export const siteInfo = z.strictObject({
  name: labelled('Site Title', 'Name of the site.'),
  description: labelled('Tagline', 'What the site is about.'),
  url: labelled('Site Address (URL)', 'Where visitors reach the site.'),
  wpurl: labelled('WordPress Address (URL)', 'Where the origin is reached.'),
  admin_email: labelled('Administration Email Address', 'Address of the first administrator.'),
  charset: labelled('Site Charset', 'Encoding of what the site sends.'),
  language: labelled('Site Language', 'Language of the interface, as a language tag.'),
  version: labelled('WordPress Version', 'Version of the publishing interface.'),
});

/** What the ability `core/get-user-info` answers of the caller. */
export const userInfo = z.strictObject({
  id: z.int().meta({ title: 'User ID', description: 'ID of the user.' }),
  display_name: labelled('Display Name', 'Name that readers see.'),
  user_nicename: labelled('User Nicename', 'Name in addresses.'),
  user_login: labelled('Username', 'Name that the user signs in with.'),
  roles: z.array(z.string()).meta({ title: 'Roles', description: 'Roles of the user.' }),
  locale: labelled('Language', 'Language of the user, such as de_DE.'),
  first_name: labelled('First Name', 'First name.'),
  last_name: labelled('Last Name', 'Last name.'),
  nickname: labelled('Nickname', 'Short name.'),
  description: labelled('Biographical Info', 'What the user says about themselves.'),
  user_url: labelled('Website', 'Website of the user.'),
});

/** What the ability `core/get-environment-info` answers. The names are the interface's; `php_version` names the runtime. */
export const environmentInfo = z.strictObject({
  environment: z
    .enum(['production', 'staging', 'development', 'local'])
    .meta({ title: 'Environment Type', description: 'What the origin is run for.' }),
  php_version: labelled('PHP Version', 'Name and version of the runtime; here it is Node.js.'),
  db_server_info: labelled('Database Server Info', 'Name and version of the database.'),
  wp_version: labelled('WordPress Version', 'Version of the publishing interface.'),
});

/** Whatever an ability answers. */
const abilityResult = z.unknown().meta({
  title: 'ability-execution',
  describedAs: {
    properties: {
      result: { description: 'What came out', type: ANYTHING, context: ['view', 'edit'], readonly: true },
    },
  },
});

const NOT_FOUND = { rest_ability_not_found: 404 } as const;

export const listAbilityCategories = route({
  method: 'GET',
  path: 'abilities/v1/categories',
  summary: 'Categories of abilities',
  access: 'user',
  query: paged,
  response: z.array(abilityCategory),
});
export const getAbilityCategory = route({
  method: 'GET',
  path: 'abilities/v1/categories/<slug>',
  summary: 'A category of abilities',
  access: 'user',
  params: z.object({ slug }),
  response: abilityCategory,
  errors: { rest_ability_category_not_found: 404 },
});
export const runAbility = route({
  method: 'GET',
  also: ['POST', 'PUT', 'PATCH', 'DELETE'],
  path: 'abilities/v1/abilities/<name>/run',
  summary: 'Has an ability run: by GET when it only reads, by DELETE when it destroys once, else by POST',
  access: 'user',
  // As little as fits, so that a name that ends in /run is not cut off.
  params: z.object({ name: name.meta({ ...name.meta(), capture: `${NAME}?` }) }),
  query: z.object({ input: z.unknown().default(null).meta({ description: 'What goes in', type: ANYTHING }) }),
  response: abilityResult,
  errors: {
    ...NOT_FOUND,
    rest_ability_invalid_method: 405,
    rest_ability_cannot_execute: 'denied',
    ability_invalid_input: 400,
  },
});
export const listAbilities = route({
  method: 'GET',
  path: 'abilities/v1/abilities',
  summary: 'Abilities',
  access: 'user',
  query: paged.extend({
    category: z.string().optional().meta({ description: 'Only of this category' }),
    namespace: z.string().optional().meta({ description: 'Only of this namespace' }),
    meta: z
      .looseObject({
        annotations: z
          .looseObject({
            readonly: annotation('Whether it only reads'),
            destructive: annotation('Whether it may destroy something'),
            idempotent: annotation('Whether doing it twice is the same as once'),
          })
          .optional()
          .meta({ description: 'What running it means', additionalProperties }),
      })
      .optional()
      .meta({ description: 'Only with these values', additionalProperties }),
  }),
  response: z.array(ability),
});
export const getAbility = route({
  method: 'GET',
  path: 'abilities/v1/abilities/<name>',
  summary: 'An ability',
  access: 'user',
  params: z.object({ name }),
  response: ability,
  errors: NOT_FOUND,
});
