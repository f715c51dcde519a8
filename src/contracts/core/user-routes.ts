import { z } from 'zod';
import { readRoute, resourceRoutes, route, updateRoute } from '../route.ts';
import { wireInteger, tooLong, wireForms, wireList, wireText } from '../wire.ts';
import { deletionQuery, itemQuery, userQuery } from './collection-query.ts';
import { coreErrors } from './errors.ts';
import {
  deletedResponse,
  field,
  links,
  readOnlyField,
  MAX_NAME_LENGTH,
  writeBody,
  address,
  looseMap,
} from './field.ts';

export const role = z.enum(['administrator', 'editor', 'author', 'contributor', 'subscriber']);
export type Role = z.infer<typeof role>;

/** Locale of the site's texts. */
export const SITE_LOCALE = 'en_US';
/** Selectable locales; the empty one selects that of the site. */
export const LOCALES = ['', SITE_LOCALE] as const;

const rights = z.record(z.string(), z.boolean()).optional();

/** A user. Public responses contain only users with published content, and only `v` and `m` fields. */
export const user = z
  .object({
    id: readOnlyField('vem', z.int(), 'Id of the user'),
    username: field('e', z.string().optional(), 'Login'),
    name: field('vem', z.string(), 'Display name'),
    first_name: field('e', z.string().optional(), 'First name'),
    last_name: field('e', z.string().optional(), 'Last name'),
    email: field('e', z.string().optional(), 'E-mail address'),
    url: field('vem', z.string().meta({ format: 'uri' }), 'Website'),
    description: field('vem', z.string(), 'Biography'),
    link: readOnlyField('vem', address, 'URL of the author page'),
    locale: field(
      'e',
      z
        .string()
        .meta({ enum: [...LOCALES] })
        .optional(),
      'Locale of the user; empty for that of the site',
    ),
    nickname: field('e', z.string().optional(), 'Nickname'),
    slug: field('vem', z.string(), 'Slug'),
    roles: field('e', z.array(z.string()).optional(), 'Roles'),
    registered_date: readOnlyField('e', z.string().optional(), 'Date of registration'),
    capabilities: readOnlyField('e', rights, 'All capabilities of the user'),
    extra_capabilities: readOnlyField('e', rights, 'Roles and individually granted capabilities'),
    avatar_urls: readOnlyField('vem', z.record(z.string(), z.string()).optional(), 'Avatar URLs by size in pixels'),
    meta: readOnlyField('ve', looseMap(z.unknown()).optional(), 'Meta fields'),
    _links: links.optional(),
  })
  .meta({ title: 'user' });

/** Limit of mail servers (RFC 5321). */
const MAX_EMAIL_LENGTH = 320;
export const email = z
  .email()
  .refine((address) => address.length <= MAX_EMAIL_LENGTH, { params: tooLong(MAX_EMAIL_LENGTH) });
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

export const MIN_PASSWORD_LENGTH = 8;

export const userBody = writeBody(user, {
  username: z.string().regex(/^[\w.@-]{1,60}$/),
  name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email,
  url: homePage,
  description: z.string(),
  locale: z.enum(LOCALES),
  nickname: z.string(),
  slug: wireText(MAX_NAME_LENGTH),
  roles: wireList(z.string()),
}).extend({
  password: z.string().min(MIN_PASSWORD_LENGTH).max(1024).optional().describe('Login password; never returned'),
});

export type User = z.output<typeof user>;

/** A password of one application of a user. It is returned only on creation. */
export const applicationPassword = z
  .object({
    uuid: readOnlyField('vem', z.string().meta({ format: 'uuid' }), 'Id of the password'),
    app_id: field('vem', z.string(), 'UUID of the application, or empty'),
    name: field('vem', z.string(), 'Name of the application'),
    created: readOnlyField('ve', z.string(), 'Date of creation, in UTC'),
    last_used: readOnlyField('ve', z.string().nullable(), 'Day of the last use'),
    last_ip: readOnlyField('ve', z.string().nullable(), 'IP address of the last use'),
    password: readOnlyField('e', z.string().optional(), 'The password; returned only on creation'),
    _links: links.optional(),
  })
  .meta({ title: 'application-password' });

export const applicationPasswordBody = writeBody(applicationPassword, {
  app_id: wireForms(z.guid().meta({ title: 'UUID' }), z.enum(['']).meta({ title: 'nothing' })),
  name: z
    .string()
    .min(1)
    .refine((name) => name.length <= MAX_NAME_LENGTH, { params: tooLong(MAX_NAME_LENGTH) })
    .refine((name) => name.trim() !== '', { params: { code: 'rest_invalid_pattern' } })
    .meta({ pattern: String.raw`.*\S.*` }),
});

const id = z.object({ id: wireInteger().describe('Id of the user') });

const USER_WRITE_ERRORS = coreErrors(
  'existing_user_login',
  'existing_user_email',
  'rest_user_invalid_password',
  'rest_user_invalid_slug',
  'rest_user_invalid_role',
  'rest_cannot_edit_roles',
);
const UPDATE_ERRORS = {
  ...USER_WRITE_ERRORS,
  ...coreErrors(
    'rest_user_invalid_id',
    'rest_cannot_edit',
    'rest_user_invalid_argument',
    'rest_user_invalid_email',
    'rest_user_last_administrator',
  ),
};
const DELETE_ERRORS = coreErrors(
  'rest_user_invalid_id',
  'rest_user_cannot_delete',
  'rest_user_invalid_reassign',
  'rest_user_last_administrator',
  'rest_trash_not_supported',
);

const deletionOfUser = deletionQuery.extend({
  reassign: wireInteger().describe('Id of the user who inherits the content; 0 for none'),
});

const USER_ERRORS = coreErrors('rest_user_invalid_id', 'rest_user_cannot_view', 'rest_forbidden_context');

export const {
  list: listUsers,
  get: getUser,
  create: createUser,
  update: updateUser,
  remove: deleteUser,
} = resourceRoutes(
  { path: 'core/v2/users', params: id, access: 'public', batch: 'v1', resource: user },
  {
    list: {
      summary: 'Users',
      query: userQuery,
      errors: coreErrors(
        'rest_user_cannot_view',
        'rest_forbidden_context',
        'rest_forbidden_orderby',
        'rest_forbidden_who',
      ),
    },
    get: {
      summary: 'A user',
      params: z.object({ id: wireInteger().describe('Id') }),
      query: itemQuery,
      errors: USER_ERRORS,
    },
    create: {
      summary: 'Creates a user',
      body: userBody.required({ username: true, email: true, password: true }),
      errors: { ...USER_WRITE_ERRORS, ...coreErrors('rest_user_exists', 'rest_cannot_create_user') },
    },
    update: { summary: 'Updates a user', body: userBody, errors: UPDATE_ERRORS },
    remove: {
      summary: 'Deletes a user',
      query: deletionOfUser,
      response: deletedResponse(user),
      errors: DELETE_ERRORS,
    },
  },
);

const ME = 'core/v2/users/me';

export const getMe = readRoute(ME, 'user', {
  summary: 'The current user',
  query: itemQuery,
  response: user,
  errors: USER_ERRORS,
});
export const updateMe = updateRoute(ME, {
  summary: 'Updates the current user',
  body: userBody,
  response: user,
  errors: UPDATE_ERRORS,
});
export const deleteMe = route({
  method: 'DELETE',
  path: ME,
  access: 'user',
  summary: 'Deletes the current user',
  query: deletionOfUser,
  response: deletedResponse(user),
  errors: DELETE_ERRORS,
});

const owner = z.object({
  user_id: z
    .string()
    .regex(/^(?:[\d]+|me)$/)
    .describe('Id of the user, or me'),
});
const passwordParams = owner.extend({
  uuid: z
    .string()
    .regex(/^[\w-]+$/)
    .describe('Id of the password'),
});
const PASSWORDS = 'core/v2/users/<user_id>/application-passwords';

const UNKNOWN = 'rest_application_password_not_found';

export const {
  list: listApplicationPasswords,
  get: getApplicationPassword,
  create: createApplicationPassword,
  update: updateApplicationPassword,
  remove: deleteApplicationPassword,
} = resourceRoutes(
  { path: PASSWORDS, params: passwordParams, access: 'user', resource: applicationPassword },
  {
    list: {
      summary: 'Application passwords of a user',
      params: owner,
      query: itemQuery,
      errors: coreErrors('rest_user_invalid_id', 'rest_cannot_list_application_passwords'),
    },
    get: {
      summary: 'An application password of a user',
      query: itemQuery,
      errors: coreErrors('rest_user_invalid_id', 'rest_cannot_read_application_password', UNKNOWN),
    },
    create: {
      summary: 'Creates an application password and returns it once',
      params: owner,
      body: applicationPasswordBody.required({ name: true }),
      errors: coreErrors('rest_user_invalid_id', 'rest_cannot_create_application_passwords', UNKNOWN),
    },
    update: {
      summary: 'Renames an application password',
      body: applicationPasswordBody,
      errors: coreErrors('rest_user_invalid_id', 'rest_cannot_edit_application_password', UNKNOWN),
    },
    remove: {
      summary: 'Revokes an application password',
      response: deletedResponse(applicationPassword),
      errors: coreErrors('rest_user_invalid_id', 'rest_cannot_delete_application_password', UNKNOWN),
    },
  },
);
export const deleteApplicationPasswords = route({
  method: 'DELETE',
  path: PASSWORDS,
  summary: 'Revokes all application passwords of a user',
  access: 'user',
  params: owner,
  response: z.object({ deleted: z.literal(true), count: z.int() }),
  errors: coreErrors('rest_user_invalid_id', 'rest_cannot_delete_application_passwords'),
});
export const introspectApplicationPassword = readRoute(`${PASSWORDS}/introspect`, 'user', {
  summary: 'The application password of this request',
  params: owner,
  query: itemQuery,
  response: applicationPassword,
  errors: coreErrors(
    'rest_user_invalid_id',
    'rest_cannot_introspect_app_password_for_non_authenticated_user',
    'rest_no_authenticated_app_password',
    UNKNOWN,
  ),
});
