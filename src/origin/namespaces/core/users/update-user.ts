import { and, eq, ne } from 'drizzle-orm';
import type { updateUser as declaration } from '#contracts/core/user-routes.ts';
import { checkPassword, hashPassword } from '#origin/platform/accounts/passwords.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type AnyCall } from '#origin/platform/http/transport/call.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { session, user } from '#origin/platform/store/schema.ts';
import { notifyListeners } from '#origin/platform/registry/content-kind.ts';
import { evictUser, presentUser } from './find-users.ts';
import {
  rethrowAccountError,
  requireOtherAdministrator,
  parseUserProfile,
  parseUserEmail,
  parseRole,
  parseUserSlug,
  type UserWriteCall,
} from './write-users.ts';

/** Updates the given fields of a user. A new password ends all other sessions of the user. */
export async function updateUser(call: UserWriteCall, id: number): Promise<ResultOf<typeof declaration>> {
  const { body, caller, context } = call;
  const passwordHash = body.password === undefined ? undefined : await hashPassword(body.password);
  const profile = await parseUserProfile(body, caller);
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await lockUser(tx, call, id);
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
    if (Object.keys(values).length > 0) await tx.update(user).set(values).where(eq(user.id, id));
    if (passwordHash !== undefined)
      await tx.delete(session).where(and(eq(session.userId, id), ne(session.hash, caller.session ?? '')));
    await announce(tx, { what: 'user', id: String(id), action: 'updated' });
    await notifyListeners(tx, context, { users: [id] });
    return { ...before, ...values };
  });
  evictUser(call, id);
  return item(presentUser(row, { call, context: 'edit', site: await loadSite(call) }));
}

/** Loads a user and locks the row until the transaction ends. @throws RestError if there is none */
export async function lockUser(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_id'>,
  id: number,
): Promise<UserRow> {
  const [row] = await tx.select().from(user).where(eq(user.id, id)).for('update');
  if (!row) throw refuse('rest_user_invalid_id', 'Invalid user ID.');
  return row;
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
