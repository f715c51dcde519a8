import { and, asc, count, desc, eq, exists, inArray, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { listUsers, getUser } from '#contracts/core/user-routes.ts';
import { type Role, user as userResource } from '#contracts/core/user.ts';
import { type RouteQuery, fillPath } from '#contracts/index.ts';
import { type UserRow, toProfile, avatarUrls } from '#origin/platform/accounts/users.ts';
import { bytewise, type RowWindow, positionIn, readTotal, totalColumn } from '#origin/platform/content/find-content.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/call.ts';
import { foldColumn, matchesTerm } from '#origin/platform/search/search-condition.ts';
import { content, user } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import type { Links } from '#origin/platform/content/content-view.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { listCapabilities } from '#origin/platform/registry/content-kind.ts';
import { replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';

/** Content types whose author is public. */
export const PUBLIC_TYPES = ['post', 'page'] as const;

export type UserColumn = 'id' | 'username' | 'email' | 'name' | 'slug' | 'url';

export interface UserFilter {
  ids?: readonly number[];
  notIds?: readonly number[];
  slugs?: readonly string[];
  roles?: readonly Role[] | undefined;
  /** Restricts the list to users who have published content of one of these types. */
  publishedTypes?: readonly ('post' | 'page')[] | undefined;
  search?: string | undefined;
  searchColumns: readonly UserColumn[];
}

export interface UserOrder {
  by: RouteQuery<typeof listUsers>['orderby'];
  direction: 'asc' | 'desc';
}

/** Finds the matching users of one page, and the total number of matches. */
export async function findUsers(
  db: Database,
  filter: UserFilter,
  order: UserOrder,
  { limit, offset }: RowWindow,
): Promise<{ rows: UserRow[]; total: number }> {
  const condition = userCondition(db, filter);
  const counted = db.select({ total: count() }).from(user).where(condition);
  const found = await db
    .select({ row: user, total: totalColumn(counted) })
    .from(user)
    .where(condition)
    .orderBy(...ordering(order, filter))
    .limit(limit)
    .offset(offset);
  return { rows: found.map(({ row }) => row), total: await readTotal(found, offset, () => counted) };
}

function userCondition(db: Database, filter: UserFilter): SQL | undefined {
  const { ids = [], notIds = [], slugs = [], roles, publishedTypes, search } = filter;
  const columns = { username: user.login, email: user.email, name: user.name, slug: user.slug, url: user.url };
  const found = (term: string) =>
    or(
      ...filter.searchColumns.map((name) =>
        name === 'id' ? eq(sql`cast(${user.id} as text)`, term) : matchesTerm(columns[name], term),
      ),
    );
  return and(
    ids.length > 0 ? inArray(user.id, [...ids]) : undefined,
    notIds.length > 0 ? notInArray(user.id, [...notIds]) : undefined,
    slugs.length > 0 ? inArray(user.slug, [...slugs]) : undefined,
    roles ? inArray(user.role, [...roles]) : undefined,
    publishedTypes ? hasPublished(db, publishedTypes) : undefined,
    search ? found(search) : undefined,
  );
}

function hasPublished(db: Database, types: readonly ('post' | 'page')[]): SQL {
  if (types.length === 0) return sql`false`;
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

function ordering({ by, direction }: UserOrder, { ids = [], slugs = [] }: UserFilter): SQL[] {
  if (by === 'include') return [...positionIn(user.id, ids), asc(user.id)];
  if (by === 'include_slugs') return [...positionIn(user.slug, slugs), asc(user.id)];
  const toward = direction === 'asc' ? asc : desc;
  const keys = {
    id: user.id,
    registered_date: user.registeredAt,
    name: bytewise(foldColumn(user.name)),
    slug: bytewise(user.slug),
    email: bytewise(user.email),
    url: bytewise(user.url),
  };
  return [toward(keys[by]), toward(user.id)];
}

/** Loads a user by ID, once per request. @throws RestError if there is none */
export async function loadUser(call: AnyCall<'rest_user_invalid_id'>, id: number): Promise<UserRow> {
  return (await loadUserWithVisibility(call, id)).row;
}

/** Loads a user by ID, with `isPublished` for users who have published public content. */
export function loadUserWithVisibility(
  { context, memo, requestMemo, refuse }: AnyCall<'rest_user_invalid_id'>,
  id: number,
): Promise<Author> {
  return memo.once(userKey(id), async () => {
    const found = await requestMemo.gather('users', [id], (ids) => loadAuthors(context.store.db, ids));
    const author = found.get(id);
    if (!author) throw refuse('rest_user_invalid_id', 'Invalid user ID.');
    return author;
  });
}

interface Author {
  row: UserRow;
  isPublished: boolean;
}

async function loadAuthors(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, Author>> {
  const found = await db
    .select({ row: user, isPublished: sql<boolean>`${hasPublished(db, PUBLIC_TYPES)}` })
    .from(user)
    .where(inArray(user.id, [...ids]));
  return new Map(found.map((author) => [author.row.id, author]));
}

/** Evicts a user from the request cache. Call it after a write. */
export function evictUser({ memo }: Pick<AnyCall, 'memo'>, id: number): void {
  memo.forget(userKey(id));
}

function userKey(id: number): string {
  return `user ${id}`;
}

interface UserView {
  call: AnyCall;
  context: Context;
  site: Site;
}

/** Converts a user row to JSON, with the fields that the context allows. */
export function presentUser(row: UserRow, view: UserView): SelectedFields<z.input<typeof userResource>> {
  const { call, site } = view;
  const profile = toProfile(row);
  return presentFields(
    userResource,
    {
      id: () => row.id,
      username: () => row.login,
      name: () => row.name,
      first_name: () => profile.first_name,
      last_name: () => profile.last_name,
      email: () => row.email,
      url: () => replaceSiteUrl(row.url, site.url, call.addresses.site),
      description: () => row.description,
      link: () => getAuthorUrl(row, call.addresses.site),
      locale: () => profile.locale,
      nickname: () => profile.nickname,
      slug: () => row.slug,
      roles: () => [row.role],
      registered_date: () => row.registeredAt.toISOString().replace(/\.\d+Z$/, '+00:00'),
      capabilities: () =>
        Object.fromEntries(listCapabilities(row.role, call.context.permissions[row.role]).map((name) => [name, true])),
      extra_capabilities: () => ({ [row.role]: true }),
      avatar_urls: () => (site.avatars ? avatarUrls(row.email) : undefined),
      meta: () => [] as [],
      _links: () => linkUser(row, call),
    },
    view,
  );
}

function linkUser(row: UserRow, { addresses, caller, methodsOn }: AnyCall): Links {
  const isOwn = caller.user?.id === row.id;
  const allow = methodsOn(getUser.path).filter(
    (method) =>
      method === 'GET' || (method === 'DELETE' ? can(caller, 'delete_users') : isOwn || can(caller, 'edit_users')),
  );
  return {
    self: [{ href: addresses.rest(fillPath(getUser.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: addresses.rest(listUsers.path) }],
  };
}
