import { and, eq, exists, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import * as routes from '#contracts/core/user-routes.ts';
import { fillPath, isSortimentError, type RouteErrors, type RouteQuery } from '#contracts/index.ts';
import { checkPassword, hashPassword } from '#origin/platform/accounts/passwords.ts';
import { avatarUrls, createUser as createAccount, toProfile, type UserRow } from '#origin/platform/accounts/users.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import type { Links } from '#origin/platform/content/present-content.ts';
import { bytewise, matchesList, orderRows } from '#origin/platform/content/resources/find-rows.ts';
import {
  createResource,
  deleteResource,
  getResource,
  listResource,
  loadRow,
  presentOne,
  updateResource,
  type Resource,
} from '#origin/platform/content/resources/resource.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  presentFields,
  item,
  requireRight,
  requireUser,
  type AnyCall,
  type Call,
  type ResultOf,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { invalidParameters } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { listCapabilities } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { foldColumn, matchesTerm } from '#origin/platform/search/search-condition.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { applicationPassword, comment, content, productToken, session, user } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

type PresentedUser = SelectedFields<z.input<typeof routes.user>>;

export const users: Resource<typeof user, PresentedUser, 'rest_user_invalid_id'> = {
  table: user,
  path: routes.listUsers.path,
  unknownId: ['rest_user_invalid_id', 'Invalid user ID.'],
  event: 'user',
  async presenter(_, call, context) {
    const site = await loadSite(call);
    return (row) => presentUser(row, call, site, context);
  },
};

export function serveUsers(registry: RouteRegistry): void {
  registry.serve(routes.listUsers, listUserPage, { permit: authorizeUserList });
  registry.serve(routes.createUser, createUser, {
    permit: requireRight('create_users', 'rest_cannot_create_user', 'You are not allowed to create users.'),
  });
  registry.serve(routes.getUser, (call) => getResource(call, users), { permit: authorizeUserRead });
  registry.serve(routes.updateUser, (call) => updateUser(call, call.params.id), {
    async permit(call) {
      const row = await loadRow(call, users, call.params.id);
      if (!canEditUser(row, call.caller))
        throw call.refuse('rest_cannot_edit', 'You are not allowed to edit this user.');
    },
  });
  const authorizeDeletion = requireRight(
    'delete_users',
    'rest_user_cannot_delete',
    'You are not allowed to delete users.',
  );
  registry.serve(routes.deleteUser, (call) => deleteUser(call, call.params.id), {
    async permit(call) {
      await loadRow(call, users, call.params.id);
      authorizeDeletion(call);
    },
  });
  registry.serve(routes.getMe, async (call) =>
    item(await presentOne(call, users, requireUser(call.caller), call.query.context)),
  );
  registry.serve(routes.updateMe, (call) => updateUser(call, requireUser(call.caller).id), { permit: rejectOtherUser });
  registry.serve(routes.deleteMe, (call) => deleteUser(call, requireUser(call.caller).id), {
    permit(call) {
      rejectOtherUser(call);
      authorizeDeletion(call);
    },
  });
}

/** Content types whose author is public. */
const PUBLIC_TYPES = ['post', 'page'] as const;

type UserQuery = RouteQuery<typeof routes.listUsers>;
type UserListCall = Call<typeof routes.listUsers>;
type UserInput = z.output<typeof routes.userBody>;
type UpdateCall = AnyCall<RouteErrors<typeof routes.updateMe>> & { body: UserInput };
type DeletionCall = AnyCall<RouteErrors<typeof routes.deleteMe>> & { query: { force: boolean; reassign: number } };

/** Rejects queries that reveal more than the public names of authors, unless the caller manages users. */
function authorizeUserList({ query, caller, refuse }: UserListCall): void {
  if (can(caller, 'list_users')) return;
  if (query.roles?.length || query.capabilities?.length)
    throw refuse('rest_user_cannot_view', 'You are not allowed to filter users by role or capability.');
  if (query.context === 'edit')
    throw refuse('rest_forbidden_context', 'You are not allowed to view users in the edit context.');
  if (query.orderby === 'email' || query.orderby === 'registered_date')
    throw refuse('rest_forbidden_orderby', 'You are not allowed to order users by this field.');
  if (query.who === 'authors' && !can(caller, 'edit_posts'))
    throw refuse('rest_forbidden_who', 'You are not allowed to list the users who can write.');
}

/** Lists one page of users. Callers without `list_users` see only users who have published something. */
function listUserPage(call: UserListCall): Promise<ResultOf<typeof routes.listUsers>> {
  const { query, caller, context } = call;
  const { db } = context.store;
  const isManager = can(caller, 'list_users');
  const roles = matchingRoles(query, context);
  const types = publishedTypes(query, isManager);
  const where = and(
    matchesList(user, query),
    roles && inArray(user.role, roles),
    types && isAuthorOf(db, types),
    query.search ? matchesUser(query.search, query.search_columns, isManager) : undefined,
  );
  const orderBy = orderRows(user, query, {
    registered_date: user.registeredAt,
    name: bytewise(foldColumn(user.name)),
    slug: bytewise(user.slug),
    email: bytewise(user.email),
    url: bytewise(user.url),
  });
  return listResource(call, users, { where, orderBy });
}

const PUBLIC_COLUMNS = { name: user.name, slug: user.slug, url: user.url };
const SEARCHED_COLUMNS = { username: user.login, email: user.email, ...PUBLIC_COLUMNS };

/** Searches the given columns, or all. Other columns than the public ones are searched for managers only. */
function matchesUser(term: string, names: UserQuery['search_columns'], isManager: boolean): SQL | undefined {
  const isSearched = (name: string) => names.length === 0 || names.some((sent) => sent === name);
  const columns = Object.entries(isManager ? SEARCHED_COLUMNS : PUBLIC_COLUMNS).filter(([name]) => isSearched(name));
  return or(
    ...columns.map(([, column]) => matchesTerm(column, term)),
    isManager && isSearched('id') ? eq(sql`cast(${user.id} as text)`, term) : undefined,
  );
}

function matchingRoles({ roles, capabilities, who }: UserQuery, { permissions }: OriginContext) {
  if (!roles?.length && !capabilities?.length && !who) return undefined;
  return routes.role.options.filter((name) => {
    const rights: ReadonlySet<string> = permissions[name].rights;
    return (
      (!roles?.length || roles.includes(name)) &&
      (!capabilities?.length || capabilities.some((right) => rights.has(right))) &&
      (!who || rights.has('edit_posts'))
    );
  });
}

function publishedTypes({ has_published_posts: requested }: UserQuery, isManager: boolean) {
  if (Array.isArray(requested)) return PUBLIC_TYPES.filter((type) => requested.includes(type));
  return requested === true || !isManager ? PUBLIC_TYPES : undefined;
}

/** True for users who have published content of one of these types. */
function isAuthorOf(db: Database, types: readonly string[]): SQL {
  const published = db
    .select({ id: content.id })
    .from(content)
    .where(and(eq(content.authorId, user.id), eq(content.status, 'publish'), inArray(content.type, [...types])));
  return exists(published);
}

/** Users who have published something are public. Others are visible to themselves and to user managers. */
async function authorizeUserRead(call: Call<typeof routes.getUser>): Promise<void> {
  const { caller, params, query } = call;
  const row = await loadRow(call, users, params.id);
  const canEdit = canEditUser(row, caller);
  if (query.context === 'edit' && !canEdit)
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view users in the edit context.');
  if (!canEdit && !can(caller, 'list_users') && !(await isPublic(call, row.id)))
    throw call.refuse('rest_user_cannot_view', 'You are not allowed to view this user.');
}

async function isPublic({ context, requestMemo }: AnyCall, id: number): Promise<boolean> {
  const { db } = context.store;
  const found = await requestMemo.gather('public users', [id], async (ids) => {
    const authors = await db
      .select({ id: user.id })
      .from(user)
      .where(and(inArray(user.id, ids), isAuthorOf(db, PUBLIC_TYPES)));
    return new Map(authors.map((author) => [author.id, true]));
  });
  return found.has(id);
}

/** Users can edit themselves. Editing others requires `edit_users`. */
export function canEditUser({ id }: UserRow, caller: Caller): boolean {
  return caller.user?.id === id || can(caller, 'edit_users');
}

/** Converts a user row to JSON, with the fields that the context allows. */
function presentUser(row: UserRow, call: AnyCall, site: Site, context: Context): PresentedUser {
  return presentFields(
    routes.user,
    {
      id: row.id,
      username: row.login,
      name: row.name,
      email: row.email,
      url: replaceSiteUrl(row.url, site.url, call.addresses.site),
      description: row.description,
      link: getAuthorUrl(row, call.addresses.site),
      ...toProfile(row),
      slug: row.slug,
      roles: [row.role],
      registered_date: row.registeredAt.toISOString().replace(/\.\d+Z$/, '+00:00'),
      capabilities: () =>
        Object.fromEntries(listCapabilities(row.role, call.context.permissions[row.role]).map((name) => [name, true])),
      extra_capabilities: { [row.role]: true },
      avatar_urls: site.avatars ? avatarUrls(row.email) : undefined,
      meta: [] as [],
      _links: () => linkUser(row, call),
    },
    { context, call },
  );
}

function linkUser(row: UserRow, { addresses, caller, methodsOn }: AnyCall): Links {
  const allow = methodsOn(routes.getUser.path).filter(
    (method) => method === 'GET' || (method === 'DELETE' ? can(caller, 'delete_users') : canEditUser(row, caller)),
  );
  return {
    self: [{ href: addresses.rest(fillPath(routes.getUser.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: addresses.rest(routes.listUsers.path) }],
  };
}

/** Limits in characters. Names are short because they are repeated with everything a user writes. */
const MAX_CHARACTERS = { name: 250, first_name: 250, last_name: 250, nickname: 250, url: 2048, description: 65_000 };

/** Creates a user. The default role is subscriber. */
async function createUser(call: Call<typeof routes.createUser>): Promise<ResultOf<typeof routes.createUser>> {
  const { body, caller, context } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_user_exists', 'A new user cannot have an ID.');
  if (body.roles && !can(caller, 'promote_users'))
    throw call.refuse('rest_cannot_edit_roles', 'You are not allowed to assign roles.');
  const role = body.roles ? parseRole(body.roles, call) : 'subscriber';
  return createResource(call, users, async (tx) => {
    const slug = body.slug ? { slug: await parseUserSlug(tx, call, body.slug) } : {};
    const { username: login, email, password } = body;
    return createAccount(
      { ...context, store: { ...context.store, db: tx } },
      { login, email, password, role, ...slug, ...(await parseUserProfile(body, caller)) },
    ).catch((error: unknown) => rethrowAccountError(error, call));
  });
}

/** Updates the given fields of a user. A new password ends all other sessions of the user. */
async function updateUser(call: UpdateCall, id: number): Promise<ResultOf<typeof routes.updateUser>> {
  const { body, caller } = call;
  const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password);
  const profile = await parseUserProfile(body, caller);
  return updateResource(call, users, id, async (tx, before) => {
    rejectForbiddenChange(call, before);
    try {
      if (body.password !== undefined)
        checkPassword(body.password, { login: before.login, email: body.email ?? before.email });
    } catch (error) {
      rethrowAccountError(error, call);
    }
    const slug = body.slug ? { slug: await parseUserSlug(tx, call, body.slug, id) } : {};
    const email = body.email?.toLowerCase();
    if (email !== undefined && (await tx.$count(user, and(eq(user.email, email), ne(user.id, id)))) > 0)
      throw call.refuse('rest_user_invalid_email', 'This e-mail address is already in use.');
    const values = {
      ...profile,
      ...slug,
      ...(email === undefined ? {} : { email }),
      ...(body.roles ? { role: parseRole(body.roles, call) } : {}),
      ...(passwordHash === undefined ? {} : { passwordHash }),
    };
    if (before.role === 'administrator' && values.role !== undefined && values.role !== before.role)
      await requireOtherAdministrator(tx, call, id);
    if (passwordHash !== undefined)
      await tx.delete(session).where(and(eq(session.userId, id), ne(session.hash, caller.session ?? '')));
    return values;
  });
}

/** Deletes a user and returns the deleted user. Their content must be reassigned to another user. */
async function deleteUser(call: DeletionCall, id: number): Promise<ResultOf<typeof routes.deleteUser>> {
  const { query } = call;
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Users do not support trashing. Set force=true to delete.');
  return deleteResource(call, users, id, async (tx, { role: before }) => {
    if (before === 'administrator') await requireOtherAdministrator(tx, call, id);
    const reassigned = await reassignContent(tx, call, id, query.reassign);
    for (const table of [session, applicationPassword, productToken])
      await tx.delete(table).where(eq(table.userId, id));
    // Comments keep the author's name only.
    const signature = { authorId: 0, authorEmail: '', authorUrl: '' };
    await tx.update(comment).set(signature).where(eq(comment.authorId, id));
    return { content: reassigned };
  });
}

/** @returns IDs of the reassigned content */
async function reassignContent(
  tx: Transaction,
  { refuse }: DeletionCall,
  fromId: number,
  toId: number,
): Promise<number[]> {
  const [newAuthor] =
    toId === fromId ? [] : await tx.select({ id: user.id }).from(user).where(eq(user.id, toId)).limit(1);
  if (newAuthor) {
    const isOwned = eq(content.authorId, fromId);
    const rows = await tx.update(content).set({ authorId: newAuthor.id }).where(isOwned).returning({ id: content.id });
    return rows.map((row) => row.id);
  }
  const owned = await tx.$count(content, eq(content.authorId, fromId));
  if (toId === 0 && owned === 0) return [];
  throw refuse(
    'rest_user_invalid_reassign',
    `${owned} posts and pages would have no author. Set reassign to the ID of another user.`,
  );
}

const ERROR_CODES = {
  LOGIN_TAKEN: 'existing_user_login',
  EMAIL_TAKEN: 'existing_user_email',
  SLUG_TAKEN: 'rest_user_invalid_slug',
  WEAK_PASSWORD: 'rest_user_invalid_password',
} as const;
type AccountErrorCode = (typeof ERROR_CODES)[keyof typeof ERROR_CODES];

/** Rethrows an account error as a REST error. Other errors are rethrown unchanged. */
function rethrowAccountError(error: unknown, { refuse }: AnyCall<AccountErrorCode>): never {
  const known: Readonly<Record<string, AccountErrorCode>> = ERROR_CODES;
  const code = isSortimentError(error) ? known[error.code] : undefined;
  if (code === undefined || !(error instanceof Error)) throw error;
  throw refuse(code, `${error.message}.`);
}

/** @throws RestError unless exactly one known role is given */
function parseRole(sent: readonly string[], { refuse }: AnyCall<'rest_user_invalid_role'>): routes.Role {
  const [first] = sent;
  const known = routes.role.safeParse(first);
  if (known.success && sent.length === 1) return known.data;
  throw refuse('rest_user_invalid_role', `Invalid roles. Send exactly one of ${routes.role.options.join(', ')}.`);
}

/** Returns the profile columns to store. An empty display name is ignored. */
async function parseUserProfile(sent: UserInput, caller: Caller) {
  const { name, description, url, first_name: firstName, last_name: lastName, nickname, locale } = sent;
  for (const [field, max] of Object.entries(MAX_CHARACTERS) as [keyof typeof MAX_CHARACTERS, number][])
    if ((sent[field] ?? '').length > max) {
      const text = `${field} must be at most ${max} characters long.`;
      throw invalidParameters([{ name: field, code: 'rest_too_long', text, data: { status: 400 } }]);
    }
  const shownName = name === undefined ? '' : plainText(name);
  const isUnfiltered = description === undefined || can(caller, 'unfiltered_html');
  const filtered = isUnfiltered ? description : await runTextJob('filterInline', description);
  return {
    ...(shownName === '' ? {} : { name: shownName }),
    ...(firstName === undefined ? {} : { firstName: plainText(firstName) }),
    ...(lastName === undefined ? {} : { lastName: plainText(lastName) }),
    ...(nickname === undefined ? {} : { nickname: plainText(nickname) }),
    ...(locale === undefined ? {} : { locale }),
    ...(filtered === undefined ? {} : { description: filtered }),
    ...(url === undefined ? {} : { url }),
  };
}

/** Normalizes a slug. @throws RestError if it is empty or taken by another user */
async function parseUserSlug(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_slug'>,
  sent: string,
  ownId = 0,
): Promise<string> {
  const slug = normaliseSlug(sent);
  const others = await tx.$count(user, and(eq(user.slug, slug), ne(user.id, ownId)));
  if (slug === '' || others > 0) throw refuse('rest_user_invalid_slug', 'The slug is empty or already in use.');
  return slug;
}

/** Ensures that another active administrator remains. @throws RestError if this user is the last one */
async function requireOtherAdministrator(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_last_administrator'>,
  leavingId: number,
): Promise<void> {
  const remaining = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, 'administrator'), eq(user.active, true), ne(user.id, leavingId)))
    .orderBy(sql`${user.id}`)
    .for('update');
  if (remaining.length > 0) return;
  throw refuse('rest_user_last_administrator', 'This is the last administrator. Promote another user first.');
}

function rejectForbiddenChange({ body, caller, refuse }: UpdateCall, before: UserRow): void {
  if (body.username !== undefined && body.username !== before.login)
    throw refuse('rest_user_invalid_argument', 'The username cannot be changed.');
  const isPromotion = body.roles !== undefined && body.roles.join() !== before.role;
  if (isPromotion && !can(caller, 'promote_users'))
    throw refuse('rest_cannot_edit_roles', 'You are not allowed to assign roles.');
}

/** Rejects a request whose `id` parameter is not the caller's. Other routes reject an `id` that differs from their path. */
function rejectOtherUser({ caller, others }: AnyCall): void {
  const { id } = requireUser(caller);
  const sent = others['id'];
  if (sent === undefined || Number(sent) === id) return;
  const text = `id is ${String(sent)}, but your user ID is ${id}. Omit id, or send the request to users/${String(sent)}.`;
  throw invalidParameters([{ name: 'id', text }]);
}
