import { role, type Role } from '#contracts/core/user.ts';
import type { listUsers, getMe, getUser } from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { collection, type ResultOf, type Call, item } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import type { Permissions } from '#origin/platform/registry/permissions.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import {
  findUsers,
  loadUserWithVisibility,
  loadUser,
  PUBLIC_TYPES,
  type UserColumn,
  type UserFilter,
} from './find-users.ts';
import { canEditUser } from './authorize-user-writes.ts';
import { presentUser } from './present-user.ts';

type UserQuery = RouteQuery<typeof listUsers>;
type UserListCall = Call<typeof listUsers>;

const PUBLIC_COLUMNS: readonly UserColumn[] = ['name', 'slug', 'url'];

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

/** Returns one page of users. Callers without `list_users` see only users who have published something. */
export async function handleListUsers(call: UserListCall): Promise<ResultOf<typeof listUsers>> {
  const { query } = call;
  const { page, per_page: perPage, context } = query;
  const offset = query.offset === undefined ? (page - 1) * perPage : Math.abs(query.offset);
  const order = { by: query.orderby, direction: query.order };
  const filter = toFilter(query, call);
  const [site, { rows, total }] = await Promise.all([
    loadSite(call),
    findUsers(call.context.store.db, filter, order, { limit: perPage, offset }),
  ]);
  const shown = rows.map((row) => presentUser(row, { call, context, site }));
  return collection(shown, total, { page, perPage });
}

function toFilter(query: UserQuery, { caller, context }: Pick<UserListCall, 'caller' | 'context'>): UserFilter {
  const isManager = can(caller, 'list_users');
  const allColumns: readonly UserColumn[] = ['username', 'email', 'id', ...PUBLIC_COLUMNS];
  const columns = query.search_columns.length > 0 ? query.search_columns : allColumns;
  return {
    ids: query.include,
    notIds: query.include.length > 0 ? [] : query.exclude,
    slugs: (query.slug ?? []).map(normaliseSlug),
    roles: matchingRoles(query, context.permissions),
    publishedTypes: publishedTypes(query, isManager),
    search: query.search,
    searchColumns: isManager ? columns : columns.filter((name) => PUBLIC_COLUMNS.includes(name)),
  };
}

function matchingRoles(
  { roles, capabilities, who }: UserQuery,
  permissions: Readonly<Record<Role, Permissions>>,
): UserFilter['roles'] {
  if (!roles?.length && !capabilities?.length && !who) return undefined;
  return role.options.filter((name) => {
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
): UserFilter['publishedTypes'] {
  if (Array.isArray(requested)) return PUBLIC_TYPES.filter((type) => requested.includes(type));
  return requested === true || !isManager ? PUBLIC_TYPES : undefined;
}

type UserItemCall = Call<typeof getUser>;

/** Users who have published something are public. Others are visible to themselves and to user managers. */
export async function authorizeUserRead(call: UserItemCall): Promise<void> {
  const { caller, params, query } = call;
  const { row, isPublished } = await loadUserWithVisibility(call, params.id);
  const canEdit = canEditUser(row, caller);
  if (query.context === 'edit' && !canEdit)
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view users in the edit context.');
  if (!canEdit && !can(caller, 'list_users') && !isPublished)
    throw call.refuse('rest_user_cannot_view', 'You are not allowed to view this user.');
}

export async function handleGetUser(call: UserItemCall): Promise<ResultOf<typeof getUser>> {
  const row = await loadUser(call, call.params.id);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}

/** Returns the caller. */
export async function handleGetMe(call: Call<typeof getMe>): Promise<ResultOf<typeof getMe>> {
  const row = requireUser(call.caller);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}
