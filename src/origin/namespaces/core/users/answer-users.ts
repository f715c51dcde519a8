import { role, type listUsers, type Role, type getMe, type getUser } from '#contracts/core/index.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { collection, type ResultOf, type Call, item } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import type { Permissions } from '#origin/platform/registry/permissions.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { findUsers, loadAuthor, loadUser, PUBLIC_TYPES, type UserColumn, type UserFilter } from './find-users.ts';
import { mayEditUser } from './permit-user-writing.ts';
import { presentUser } from './present-user.ts';

type UserQuery = RouteQuery<typeof listUsers>;
type UserListCall = Call<typeof listUsers>;

const PUBLIC_COLUMNS: readonly UserColumn[] = ['name', 'slug', 'url'];

/** What tells more than the public names of authors is for those who manage users. */
export function permitUsers({ query, caller, refuse }: UserListCall): void {
  if (can(caller, 'list_users')) return;
  if (query.roles?.length || query.capabilities?.length)
    throw refuse('rest_user_cannot_view', 'You may not choose users by what they may do.');
  if (query.context === 'edit') throw refuse('rest_forbidden_context', 'You may not see users as their editors do.');
  if (query.orderby === 'email' || query.orderby === 'registered_date')
    throw refuse('rest_forbidden_orderby', 'You may not order users by this.');
  if (query.who === 'authors' && !can(caller, 'edit_posts'))
    throw refuse('rest_forbidden_who', 'You may not ask who may write.');
}

/** One page of users. Strangers see only who has published something. */
export async function answerUsers(call: UserListCall): Promise<ResultOf<typeof listUsers>> {
  const { query } = call;
  const { page, per_page: perPage, context } = query;
  const offset = query.offset === undefined ? (page - 1) * perPage : Math.abs(query.offset);
  const order = { by: query.orderby, direction: query.order };
  const filter = filterOf(query, call);
  const [site, { rows, total }] = await Promise.all([
    loadSite(call),
    findUsers(call.context.store.db, filter, order, { limit: perPage, offset }),
  ]);
  const shown = rows.map((row) => presentUser(row, { call, context, site }));
  return collection(shown, total, { page, perPage });
}

function filterOf(query: UserQuery, { caller, context }: Pick<UserListCall, 'caller' | 'context'>): UserFilter {
  const isManager = can(caller, 'list_users');
  const allColumns: readonly UserColumn[] = ['username', 'email', 'id', ...PUBLIC_COLUMNS];
  const columns = query.search_columns.length > 0 ? query.search_columns : allColumns;
  return {
    ids: query.include,
    notIds: query.include.length > 0 ? [] : query.exclude,
    slugs: (query.slug ?? []).map(normaliseSlug),
    roles: rolesOf(query, context.permissions),
    publishedTypes: publishedTypes(query, isManager),
    search: query.search,
    searchColumns: isManager ? columns : columns.filter((name) => PUBLIC_COLUMNS.includes(name)),
  };
}

function rolesOf(
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

function publishedTypes({ has_published_posts: asked }: UserQuery, isManager: boolean): UserFilter['publishedTypes'] {
  if (Array.isArray(asked)) return PUBLIC_TYPES.filter((type) => asked.includes(type));
  return asked === true || !isManager ? PUBLIC_TYPES : undefined;
}

type UserItemCall = Call<typeof getUser>;

/** Everybody may see who has published something; others are seen by themselves and by who manages users. */
export async function permitUser(call: UserItemCall): Promise<void> {
  const { caller, params, query } = call;
  const { row, isPublished } = await loadAuthor(call, params.id);
  const mayEdit = mayEditUser(row, caller);
  if (query.context === 'edit' && !mayEdit)
    throw call.refuse('rest_forbidden_context', 'You may not see users as their editors do.');
  if (!mayEdit && !can(caller, 'list_users') && !isPublished)
    throw call.refuse('rest_user_cannot_view', 'You may not see this user.');
}

/** One user. */
export async function answerUser(call: UserItemCall): Promise<ResultOf<typeof getUser>> {
  const row = await loadUser(call, call.params.id);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}

/** The caller. */
export async function answerMe(call: Call<typeof getMe>): Promise<ResultOf<typeof getMe>> {
  const row = requireUser(call.caller);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}
