import { and, eq, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import * as routes from '#contracts/core/user-routes.ts';
import { isSortimentError, type RouteErrors } from '#contracts/index.ts';
import { checkPassword, hashPassword } from '#origin/platform/accounts/passwords.ts';
import { createUser as createAccount, type UserRow } from '#origin/platform/accounts/users.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  requireRight,
  requireUser,
  type AnyCall,
  type Call,
  type ResultOf,
} from '#origin/platform/http/transport/call.ts';
import { invalidParameters, type RestError } from '#origin/platform/http/transport/rest-error.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import {
  createResource,
  deleteResource,
  loadRow,
  updateResource,
  getResource,
} from '#origin/platform/content/resources/resource.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { applicationPassword, comment, content, productToken, session, user } from '#origin/platform/store/schema.ts';
import {
  canEditUser,
  users,
  authorizeUserList,
  authorizeUserRead,
  getCurrentUser,
  listUserPage,
} from './find-users.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { serveApplicationPasswords } from './application-passwords.ts';

/** Limits in characters. Names are short because they are repeated with everything a user writes. */
const MAX_CHARACTERS = { name: 250, first_name: 250, last_name: 250, nickname: 250, url: 2048, description: 65_000 };

/** Creates a user. The default role is subscriber. */
export async function createUser(call: Call<typeof routes.createUser>): Promise<ResultOf<typeof routes.createUser>> {
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
export async function updateUser(call: UserWriteCall, id: number): Promise<ResultOf<typeof routes.updateUser>> {
  const { body, caller } = call;
  const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password);
  const profile = await parseUserProfile(body, caller);
  return updateResource(call, users, id, async (tx, before) => {
    rejectForbiddenChange(call, before);
    if (body.password !== undefined)
      rejectWeakPassword(call, body.password, { login: before.login, email: body.email ?? before.email });
    const values = {
      ...profile,
      ...(body.slug ? { slug: await parseUserSlug(tx, call, body.slug, id) } : {}),
      ...(body.email === undefined ? {} : { email: await parseUserEmail(tx, call, body.email, id) }),
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

type DeletionCall = AnyCall<RouteErrors<typeof routes.deleteUser>> & { query: { force: boolean; reassign: number } };

/** Deletes a user and returns the deleted user. Their content must be reassigned to another user. */
export async function deleteUser(call: DeletionCall, id: number): Promise<ResultOf<typeof routes.deleteUser>> {
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

/** Rethrows an account error as a REST error. Other errors are rethrown unchanged. */
function rethrowAccountError(
  error: unknown,
  { refuse }: AnyCall<(typeof ERROR_CODES)[keyof typeof ERROR_CODES]>,
): never {
  const known: Readonly<Record<string, (typeof ERROR_CODES)[keyof typeof ERROR_CODES]>> = ERROR_CODES;
  const code = isSortimentError(error) ? known[error.code] : undefined;
  if (code === undefined || !(error instanceof Error)) throw error;
  throw refuse(code, `${error.message}.`);
}

type UserInput = z.output<typeof routes.userBody>;

type UserWriteCall = AnyCall<RouteErrors<typeof routes.updateUser>> & { body: UserInput };

/** @throws RestError unless exactly one known role is given */
function parseRole(sent: readonly string[], { refuse }: AnyCall<'rest_user_invalid_role'>): routes.Role {
  const [first] = sent;
  const known = routes.role.safeParse(first);
  if (known.success && sent.length === 1) return known.data;
  throw refuse('rest_user_invalid_role', `Invalid roles. Send exactly one of ${routes.role.options.join(', ')}.`);
}

function tooLong(name: string, max: number): RestError {
  const text = `${name} must be at most ${max} characters long.`;
  return invalidParameters([{ name, code: 'rest_too_long', text, data: { status: 400 } }]);
}

/** Returns the profile columns to store. An empty display name is ignored. */
async function parseUserProfile(sent: UserInput, caller: Caller) {
  const { name, description, url, first_name: firstName, last_name: lastName, nickname, locale } = sent;
  for (const [field, max] of Object.entries(MAX_CHARACTERS) as [keyof typeof MAX_CHARACTERS, number][])
    if ((sent[field] ?? '').length > max) throw tooLong(field, max);
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

/** Normalizes an e-mail address. @throws RestError if another user has it */
async function parseUserEmail(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_email'>,
  sent: string,
  ownId: number,
): Promise<string> {
  const email = sent.trim().toLowerCase();
  const others = await tx.$count(user, and(eq(user.email, email), ne(user.id, ownId)));
  if (others > 0) throw refuse('rest_user_invalid_email', 'This e-mail address is already in use.');
  return email;
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

function rejectWeakPassword(call: UserWriteCall, password: string, names: Pick<UserRow, 'login' | 'email'>): void {
  try {
    checkPassword(password, names);
  } catch (error) {
    rethrowAccountError(error, call);
  }
}

function rejectForbiddenChange({ body, caller, refuse }: UserWriteCall, before: UserRow): void {
  if (body.username !== undefined && body.username !== before.login)
    throw refuse('rest_user_invalid_argument', 'The username cannot be changed.');
  const isPromotion = body.roles !== undefined && body.roles.join() !== before.role;
  if (isPromotion && !can(caller, 'promote_users'))
    throw refuse('rest_cannot_edit_roles', 'You are not allowed to assign roles.');
}

export const authorizeUserCreate = requireRight(
  'create_users',
  'rest_cannot_create_user',
  'You are not allowed to create users.',
);

/** Users can edit themselves. Editing others requires `edit_users`. */
export async function authorizeUserUpdate(call: Call<typeof routes.updateUser>): Promise<void> {
  const row = await loadRow(call, users, call.params.id);
  if (!canEditUser(row, call.caller)) throw call.refuse('rest_cannot_edit', 'You are not allowed to edit this user.');
}

export async function authorizeUserDelete(call: Call<typeof routes.deleteUser>): Promise<void> {
  await loadRow(call, users, call.params.id);
  requireDeleteRight(call);
}

export function authorizeSelfUpdate(call: AnyCall): void {
  rejectOtherUser(call);
}

export function authorizeSelfDelete(call: AnyCall<'rest_user_cannot_delete'>): void {
  rejectOtherUser(call);
  requireDeleteRight(call);
}

/** Rejects a request whose `id` parameter is not the caller's. Other routes reject an `id` that differs from their path. */
function rejectOtherUser({ caller, others }: AnyCall): void {
  const { id } = requireUser(caller);
  const sent = others['id'];
  if (sent === undefined || Number(sent) === id) return;
  const text = `id is ${String(sent)}, but your user ID is ${id}. Omit id, or send the request to users/${String(sent)}.`;
  throw invalidParameters([{ name: 'id', text }]);
}

const requireDeleteRight = requireRight(
  'delete_users',
  'rest_user_cannot_delete',
  'You are not allowed to delete users.',
);

/** Serves users and their application passwords. */
export function serveUsers(registry: RouteRegistry): void {
  registry.serve(routes.listUsers, listUserPage, { permit: authorizeUserList });
  registry.serve(routes.createUser, createUser, { permit: authorizeUserCreate });
  registry.serve(routes.getUser, (call) => getResource(call, users), { permit: authorizeUserRead });
  registry.serve(routes.updateUser, (call) => updateUser(call, call.params.id), { permit: authorizeUserUpdate });
  registry.serve(routes.deleteUser, (call) => deleteUser(call, call.params.id), { permit: authorizeUserDelete });
  registry.serve(routes.getMe, getCurrentUser);
  registry.serve(routes.updateMe, (call) => updateUser(call, requireUser(call.caller).id), {
    permit: authorizeSelfUpdate,
  });
  registry.serve(routes.deleteMe, (call) => deleteUser(call, requireUser(call.caller).id), {
    permit: authorizeSelfDelete,
  });
  serveApplicationPasswords(registry);
}
