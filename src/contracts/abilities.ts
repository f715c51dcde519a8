import { z } from 'zod';
import { links, readOnlyField } from './core/field.ts';
import { MAX_PER_PAGE, pagedQuery } from './core/collection-query.ts';
import { resourceRoutes, route } from './route.ts';
import { wireBoolean, wireInteger } from './wire.ts';

const ANYTHING = ['integer', 'number', 'boolean', 'string', 'array', 'object', 'null'];
const schema = z.record(z.string(), z.unknown());

/** An operation that clients can discover and run, with the schemas of its input and output. */
export const ability = z
  .object({
    name: readOnlyField('vem', z.string(), 'Namespace and name'),
    label: readOnlyField('vem', z.string(), 'Display name'),
    description: readOnlyField('ve', z.string(), 'What it does'),
    category: readOnlyField('vem', z.string(), 'Category'),
    input_schema: readOnlyField('ve', schema, 'JSON Schema of the input'),
    output_schema: readOnlyField('ve', schema, 'JSON Schema of the output'),
    meta: readOnlyField('ve', schema, 'Annotations on its effects'),
    _links: links.optional(),
  })
  .meta({ title: 'ability' });

export const abilityCategory = z
  .object({
    slug: readOnlyField('vem', z.string(), 'Slug'),
    label: readOnlyField('vem', z.string(), 'Display name'),
    description: readOnlyField('vem', z.string(), 'Description'),
    meta: readOnlyField('vem', z.union([schema, z.tuple([])]), 'Values by name'),
    _links: links.optional(),
  })
  .meta({ title: 'ability-category' });

const paged = pagedQuery.pick({ context: true, page: true }).extend({
  per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE })
    .default(50)
    .meta({ description: 'Items per page', checkedFirst: true }),
});

const NAME = String.raw`[a-zA-Z0-9\-\/]+`;
const name = z
  .string()
  .regex(new RegExp(`^${NAME}$`))
  .describe('Namespace and name');
const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .describe('Name of the category');

const annotation = (description: string) => wireBoolean.nullable().optional().describe(description);
const additionalProperties = true;

/** A text with the label of stock servers. */
const labelled = (title: string, description: string) => z.string().meta({ title, description });

/** Output of the ability `core/get-site-info`. The labels of `wpurl` and `version` come from the interface. */
export const siteInfo = z.strictObject({
  name: labelled('Site Title', 'Name of the site.'),
  description: labelled('Tagline', 'What the site is about.'),
  url: labelled('Site Address (URL)', 'Public address of the site.'),
  wpurl: labelled('WordPress Address (URL)', 'Address of the origin.'),
  admin_email: labelled('Administration Email Address', 'Address of the first administrator.'),
  charset: labelled('Site Charset', 'Character encoding of the site.'),
  language: labelled('Site Language', 'Language of the interface, as a language tag.'),
  version: labelled('WordPress Version', 'Version of the publishing interface.'),
});

/** Output of the ability `core/get-user-info`, for the caller. */
export const userInfo = z.strictObject({
  id: z.int().meta({ title: 'User ID', description: 'ID of the user.' }),
  display_name: labelled('Display Name', 'Display name.'),
  user_nicename: labelled('User Nicename', 'Slug.'),
  user_login: labelled('Username', 'Login name.'),
  roles: z.array(z.string()).meta({ title: 'Roles', description: 'Roles of the user.' }),
  locale: labelled('Language', 'Language of the user, such as de_DE.'),
  first_name: labelled('First Name', 'First name.'),
  last_name: labelled('Last Name', 'Last name.'),
  nickname: labelled('Nickname', 'Short name.'),
  description: labelled('Biographical Info', 'Biography of the user.'),
  user_url: labelled('Website', 'Website of the user.'),
});

/**
 * Output of the ability `core/get-environment-info`. The names come from the interface; `php_version` names the
 * runtime.
 */
export const environmentInfo = z.strictObject({
  environment: z
    .enum(['production', 'staging', 'development', 'local'])
    .meta({ title: 'Environment Type', description: 'Environment of the origin.' }),
  php_version: labelled('PHP Version', 'Name and version of the runtime; here it is Node.js.'),
  db_server_info: labelled('Database Server Info', 'Name and version of the database.'),
  wp_version: labelled('WordPress Version', 'Version of the publishing interface.'),
});

/** Output of any ability. */
const abilityResult = z.unknown().meta({
  title: 'ability-execution',
  describedAs: {
    properties: {
      result: { description: 'Output', type: ANYTHING, context: ['view', 'edit'], readonly: true },
    },
  },
});

const NOT_FOUND = { rest_ability_not_found: 404 } as const;

export const { list: listAbilityCategories, get: getAbilityCategory } = resourceRoutes(
  { path: 'abilities/v1/categories', params: z.object({ slug }), access: 'user', resource: abilityCategory },
  {
    list: { summary: 'Categories of abilities', query: paged },
    get: { summary: 'A category of abilities', errors: { rest_ability_category_not_found: 404 } },
  },
);
export const runAbility = route({
  method: 'GET',
  also: ['POST', 'PUT', 'PATCH', 'DELETE'],
  path: 'abilities/v1/abilities/<name>/run',
  summary:
    'Runs an ability: with GET if it is read-only, with DELETE if it is destructive and idempotent, otherwise with POST',
  access: 'user',
  // Non-greedy, so that a name that ends in /run is not cut off.
  params: z.object({ name: name.meta({ ...name.meta(), capture: `${NAME}?` }) }),
  query: z.object({ input: z.unknown().default(null).meta({ description: 'Input', type: ANYTHING }) }),
  response: abilityResult,
  errors: {
    ...NOT_FOUND,
    rest_ability_invalid_method: 405,
    rest_ability_cannot_execute: 'denied',
    ability_invalid_input: 400,
  },
});
export const { list: listAbilities, get: getAbility } = resourceRoutes(
  { path: 'abilities/v1/abilities', params: z.object({ name }), access: 'user', resource: ability },
  {
    list: {
      summary: 'Abilities',
      query: paged.extend({
        category: z.string().optional().describe('Limit to this category'),
        namespace: z.string().optional().describe('Limit to this namespace'),
        meta: z
          .looseObject({
            annotations: z
              .looseObject({
                readonly: annotation('Whether the ability is read-only'),
                destructive: annotation('Whether the ability may delete data'),
                idempotent: annotation('Whether repeated runs have no further effect'),
              })
              .optional()
              .meta({ description: 'Annotations on its effects', additionalProperties }),
          })
          .optional()
          .meta({ description: 'Limit to abilities with these values', additionalProperties }),
      }),
    },
    get: { summary: 'An ability', errors: NOT_FOUND },
  },
);
