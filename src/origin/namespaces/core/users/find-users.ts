import { and, eq, exists, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import * as routes from '#contracts/core/user-routes.ts';
import { fillPath, type RouteQuery } from '#contracts/index.ts';
import { avatarUrls, toProfile, type UserRow } from '#origin/platform/accounts/users.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import type { Links } from '#origin/platform/content/present-content.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  presentFields,
  item,
  requireUser,
  type AnyCall,
  type Call,
  type ResultOf,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { listCapabilities } from '#origin/platform/registry/content-kind.ts';
import { bytewise, matchesList, orderRows } from '#origin/platform/content/resources/find-rows.ts';
import { listResource, loadRow, presentOne, type Resource } from '#origin/platform/content/resources/resource.ts';
import { foldColumn, matchesTerm } from '#origin/platform/search/search-condition.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { content, user } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

type PresentedUser = SelectedFields<z.input<typeof routes.user>>;

export const users: Resource<typeof user, PresentedUser, 'rest_user_invalid_id'> = {
  table: user,
  path: routes.listUsers.path,
  unknownId: ['rest_user_invalid_id', 'Invalid user ID.'],
  event: 'user',
  async presenter(_, call, context) {
    const site = await loadSite(call);
    return (row) => presentUser(row, { call, context, site });
  },
};

/** Content types whose author is public. */
const PUBLIC_TYPES = ['post', 'page'] as const;

type UserQuery = RouteQuery<typeof routes.listUsers>;
type UserListCall = Call<typeof routes.listUsers>;

/** Rejects queries that reveal more than the public names of authors, unless the caller manages users. */
export function authorizeUserList({ query, caller, refuse }: UserListCall): void {
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
export function listUserPage(call: UserListCall): Promise<ResultOf<typeof routes.listUsers>> {
  const { query, caller, context } = call;
  const { db } = context.store;
  const isManager = can(caller, 'list_users');
  const roles = matchingRoles(query, call);
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

function matchingRoles(
  { roles, capabilities, who }: UserQuery,
  { context: { permissions } }: Pick<AnyCall, 'context'>,
): routes.Role[] | undefined {
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

function publishedTypes(
  { has_published_posts: requested }: UserQuery,
  isManager: boolean,
): readonly (typeof PUBLIC_TYPES)[number][] | undefined {
  if (Array.isArray(requested)) return PUBLIC_TYPES.filter((type) => requested.includes(type));
  return requested === true || !isManager ? PUBLIC_TYPES : undefined;
}

/** True for users who have published content of one of these types. */
function isAuthorOf(db: Database, types: readonly string[]): SQL {
  const published = and(
    eq(content.authorId, user.id),
    eq(content.status, 'publish'),
    inArray(content.type, [...types]),
  );
  return exists(
    db
      .select({ one: sql`1` })
      .from(content)
      .where(published),
  );
}

/** Users who have published something are public. Others are visible to themselves and to user managers. */
export async function authorizeUserRead(call: Call<typeof routes.getUser>): Promise<void> {
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

export function canEditUser({ id }: UserRow, caller: Caller): boolean {
  return caller.user?.id === id || can(caller, 'edit_users');
}

export async function getCurrentUser(call: Call<typeof routes.getMe>): Promise<ResultOf<typeof routes.getMe>> {
  return item(await presentOne(call, users, requireUser(call.caller), call.query.context));
}

interface UserView {
  call: AnyCall;
  context: Context;
  site: Site;
}

/** Converts a user row to JSON, with the fields that the context allows. */
function presentUser(row: UserRow, view: UserView): SelectedFields<z.input<typeof routes.user>> {
  const { call, site } = view;
  const profile = toProfile(row);
  return presentFields(
    routes.user,
    {
      id: row.id,
      username: row.login,
      name: row.name,
      first_name: profile.first_name,
      last_name: profile.last_name,
      email: row.email,
      url: replaceSiteUrl(row.url, site.url, call.addresses.site),
      description: row.description,
      link: getAuthorUrl(row, call.addresses.site),
      locale: profile.locale,
      nickname: profile.nickname,
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
    view,
  );
}

function linkUser(row: UserRow, { addresses, caller, methodsOn }: AnyCall): Links {
  const isOwn = caller.user?.id === row.id;
  const allow = methodsOn(routes.getUser.path).filter(
    (method) =>
      method === 'GET' || (method === 'DELETE' ? can(caller, 'delete_users') : isOwn || can(caller, 'edit_users')),
  );
  return {
    self: [{ href: addresses.rest(fillPath(routes.getUser.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: addresses.rest(routes.listUsers.path) }],
  };
}
