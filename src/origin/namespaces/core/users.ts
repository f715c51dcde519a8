import {
  createApplicationPassword,
  createUser as addUser,
  deleteApplicationPassword,
  deleteApplicationPasswords,
  deleteMe,
  deleteUser as removeUser,
  getApplicationPassword,
  getMe,
  getUser,
  introspectApplicationPassword,
  listApplicationPasswords,
  listUsers,
  updateApplicationPassword,
  updateMe,
  updateUser as changeUser,
  type deleteUser as declaration,
} from '#contracts/core/user-routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  collection,
  type Call,
  requireUser,
} from '#origin/platform/http/transport/call.ts';
import {
  handleGetPassword,
  handleIntrospectPassword,
  handleListPasswords,
  authorizeIntrospection,
  authorizePasswords,
  handleCreatePassword,
  handleDeletePassword,
  handleDeletePasswords,
  handleUpdatePassword,
} from './users/application-passwords.ts';
import {
  authorizeUserCreate,
  authorizeSelfUpdate,
  authorizeSelfDelete,
  authorizeUserUpdate,
  authorizeUserDelete,
  canEditUser,
} from './users/authorize-user-writes.ts';
import { updateUser, lockUser } from './users/update-user.ts';
import { createUser, requireOtherAdministrator } from './users/write-users.ts';
import { count, eq } from 'drizzle-orm';
import type { RouteErrors, RouteQuery } from '#contracts/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { applicationPassword, comment, content, productToken, session, user } from '#origin/platform/store/schema.ts';
import { notifyListeners, type Permissions } from '#origin/platform/registry/content-kind.ts';
import {
  evictUser,
  findUsers,
  loadUserWithVisibility,
  loadUser,
  PUBLIC_TYPES,
  type UserColumn,
  type UserFilter,
  presentUser,
} from './users/find-users.ts';
import { role, type Role } from '#contracts/core/user.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/caller.ts';

/** Serves users and their application passwords. */
export function serveUsers(registry: RouteRegistry): void {
  registry.serve(listUsers, handleListUsers, { permit: authorizeUserList });
  registry.serve(addUser, createUser, { permit: authorizeUserCreate });
  registry.serve(getUser, handleGetUser, { permit: authorizeUserRead });
  registry.serve(changeUser, (call) => updateUser(call, call.params.id), { permit: authorizeUserUpdate });
  registry.serve(removeUser, (call) => deleteUser(call, call.params.id), { permit: authorizeUserDelete });
  registry.serve(getMe, handleGetMe);
  registry.serve(updateMe, (call) => updateUser(call, requireUser(call.caller).id), { permit: authorizeSelfUpdate });
  registry.serve(deleteMe, (call) => deleteUser(call, requireUser(call.caller).id), { permit: authorizeSelfDelete });

  registry.serve(listApplicationPasswords, handleListPasswords, {
    permit: authorizePasswords('rest_cannot_list_application_passwords'),
  });
  registry.serve(createApplicationPassword, handleCreatePassword, {
    permit: authorizePasswords('rest_cannot_create_application_passwords'),
  });
  registry.serve(deleteApplicationPasswords, handleDeletePasswords, {
    permit: authorizePasswords('rest_cannot_delete_application_passwords'),
  });
  registry.serve(introspectApplicationPassword, handleIntrospectPassword, { permit: authorizeIntrospection });
  registry.serve(getApplicationPassword, handleGetPassword, {
    permit: authorizePasswords('rest_cannot_read_application_password'),
  });
  registry.serve(updateApplicationPassword, handleUpdatePassword, {
    permit: authorizePasswords('rest_cannot_edit_application_password'),
  });
  registry.serve(deleteApplicationPassword, handleDeletePassword, {
    permit: authorizePasswords('rest_cannot_delete_application_password'),
  });
}

type DeletionCall = AnyCall<RouteErrors<typeof declaration>> & { query: { force: boolean; reassign: number } };

/** Deletes a user and returns the deleted user. Their content must be reassigned to another user. */
async function deleteUser(call: DeletionCall, id: number): Promise<ResultOf<typeof declaration>> {
  const { context, query } = call;
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Users do not support trashing. Set force=true to delete.');
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await lockUser(tx, call, id);
    if (before.role === 'administrator') await requireOtherAdministrator(tx, call, id);
    const reassigned = await reassignContent(tx, call, id, query.reassign);
    for (const table of [session, applicationPassword, productToken])
      await tx.delete(table).where(eq(table.userId, id));
    // Comments keep the author's name only.
    const signature = { authorId: 0, authorEmail: '', authorUrl: '' };
    await tx.update(comment).set(signature).where(eq(comment.authorId, id));
    await tx.delete(user).where(eq(user.id, id));
    await announce(tx, { what: 'user', id: String(id), action: 'deleted' });
    await notifyListeners(tx, context, { users: [id], content: reassigned });
    return before;
  });
  evictUser(call, id);
  const shown = presentUser(row, { call, context: 'edit', site: await loadSite(call) });
  return item({ deleted: true, previous: presentPrevious(shown, id, call) });
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
  const [owned] = await tx.select({ rows: count() }).from(content).where(eq(content.authorId, fromId));
  if (toId === 0 && owned?.rows === 0) return [];
  throw refuse(
    'rest_user_invalid_reassign',
    `${owned?.rows ?? 0} posts and pages would have no author. Set reassign to the ID of another user.`,
  );
}

type UserQuery = RouteQuery<typeof listUsers>;
type UserListCall = Call<typeof listUsers>;

const PUBLIC_COLUMNS: readonly UserColumn[] = ['name', 'slug', 'url'];

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

/** Returns one page of users. Callers without `list_users` see only users who have published something. */
async function handleListUsers(call: UserListCall): Promise<ResultOf<typeof listUsers>> {
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
async function authorizeUserRead(call: UserItemCall): Promise<void> {
  const { caller, params, query } = call;
  const { row, isPublished } = await loadUserWithVisibility(call, params.id);
  const canEdit = canEditUser(row, caller);
  if (query.context === 'edit' && !canEdit)
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view users in the edit context.');
  if (!canEdit && !can(caller, 'list_users') && !isPublished)
    throw call.refuse('rest_user_cannot_view', 'You are not allowed to view this user.');
}

async function handleGetUser(call: UserItemCall): Promise<ResultOf<typeof getUser>> {
  const row = await loadUser(call, call.params.id);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}

/** Returns the caller. */
async function handleGetMe(call: Call<typeof getMe>): Promise<ResultOf<typeof getMe>> {
  const row = requireUser(call.caller);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}
