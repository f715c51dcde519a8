import { and, asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import {
  applicationPassword as resource,
  getApplicationPassword,
  type introspectApplicationPassword,
  type listApplicationPasswords,
  type createApplicationPassword as addDeclaration,
  type deleteApplicationPassword,
  type deleteApplicationPasswords,
  type updateApplicationPassword,
} from '#contracts/core/user-routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { fillPath } from '#contracts/index.ts';
import { createApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import {
  presentFields,
  withoutLinks,
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type SelectedFields,
  created,
  requireUser,
} from '#origin/platform/http/transport/call.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { loadRow } from '#origin/platform/content/resources/resource.ts';
import { canEditUser, users } from './find-users.ts';

export type PasswordRow = typeof applicationPassword.$inferSelect;

/** Lists the application passwords of a user, oldest first. */
export async function handleListPasswords(
  call: Call<typeof listApplicationPasswords>,
): Promise<ResultOf<typeof listApplicationPasswords>> {
  const { id } = await loadOwner(call);
  const rows = await call.context.store.db
    .select()
    .from(applicationPassword)
    .where(eq(applicationPassword.userId, id))
    .orderBy(asc(applicationPassword.createdAt), asc(applicationPassword.uuid));
  return item(rows.map((row) => presentPassword(row, call, call.query.context)));
}

export async function handleGetPassword(
  call: Call<typeof getApplicationPassword>,
): Promise<ResultOf<typeof getApplicationPassword>> {
  return item(presentPassword(await loadPassword(call, call.params.uuid), call, call.query.context));
}

/** Returns the application password that authenticated the request. */
export async function handleIntrospectPassword(
  call: Call<typeof introspectApplicationPassword>,
): Promise<ResultOf<typeof introspectApplicationPassword>> {
  const { applicationPassword: uuid } = call.caller;
  if (uuid === undefined)
    throw call.refuse(
      'rest_no_authenticated_app_password',
      'The request was not authenticated with an application password.',
    );
  return item(presentPassword(await loadPassword(call, uuid), call, call.query.context));
}

/** Loads an application password of the user in the path. @throws RestError if there is none */
export async function loadPassword(
  call: PasswordCall & AnyCall<'rest_application_password_not_found'>,
  uuid: string,
): Promise<PasswordRow> {
  const { id } = await loadOwner(call);
  const [row] = UUID.test(uuid)
    ? await call.context.store.db
        .select()
        .from(applicationPassword)
        .where(and(eq(applicationPassword.uuid, uuid), eq(applicationPassword.userId, id)))
        .limit(1)
    : [];
  if (!row) throw call.refuse('rest_application_password_not_found', 'Application password not found.');
  return row;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Converts a row to JSON. @param plain the secret itself, for the response to its creation only */
export function presentPassword(
  row: PasswordRow,
  call: AnyCall,
  context: Context,
  plain?: string,
): SelectedFields<z.input<typeof resource>> {
  const self = fillPath(getApplicationPassword.path, { user_id: row.userId, uuid: row.uuid });
  const allow = call.methodsOn(getApplicationPassword.path);
  return presentFields(
    resource,
    {
      uuid: row.uuid,
      app_id: row.appId,
      name: row.name,
      created: formatTime(row.createdAt),
      last_used: row.lastUsedAt && formatTime(row.lastUsedAt),
      last_ip: row.lastIp,
      password: plain,
      _links: () => ({ self: [{ href: call.addresses.rest(self), targetHints: { allow } }] }),
    },
    { context, call },
  );
}

function formatTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}

/** Creates an application password. Only this response contains the secret. */
export async function handleCreatePassword(
  call: Call<typeof addDeclaration>,
): Promise<ResultOf<typeof addDeclaration>> {
  const { id: userId } = await loadOwner(call);
  const { name, app_id: appId = '' } = call.body;
  const values = { userId, name: plainText(name), appId };
  const { uuid, password } = await createApplicationPassword(call.context, values);
  const row = await loadPassword(call, uuid);
  const shown = presentPassword(row, call, 'edit', password);
  // `Location` repeats the self link, so it is omitted if the client didn't select `_links`.
  if (!call.fields.wants('_links')) return { status: 201, body: shown };
  return created(shown, call.addresses.rest(fillPath(getApplicationPassword.path, { user_id: userId, uuid })));
}

/** Renames an application password. Other fields are ignored. */
export async function handleUpdatePassword(
  call: Call<typeof updateApplicationPassword>,
): Promise<ResultOf<typeof updateApplicationPassword>> {
  const row = await loadPassword(call, call.params.uuid);
  const name = call.body.name === undefined ? row.name : plainText(call.body.name);
  await call.context.store.db.update(applicationPassword).set({ name }).where(eq(applicationPassword.uuid, row.uuid));
  return item(presentPassword({ ...row, name }, call, 'edit'));
}

/** Revokes an application password and returns its former state. */
export async function handleDeletePassword(
  call: Call<typeof deleteApplicationPassword>,
): Promise<ResultOf<typeof deleteApplicationPassword>> {
  const row = await loadPassword(call, call.params.uuid);
  await call.context.store.db.delete(applicationPassword).where(eq(applicationPassword.uuid, row.uuid));
  return item({ deleted: true, previous: withoutLinks(presentPassword(row, call, 'edit')) });
}

/** Revokes all application passwords of a user. */
export async function handleDeletePasswords(
  call: Call<typeof deleteApplicationPasswords>,
): Promise<ResultOf<typeof deleteApplicationPasswords>> {
  const { id } = await loadOwner(call);
  const revoked = await call.context.store.db
    .delete(applicationPassword)
    .where(eq(applicationPassword.userId, id))
    .returning({ uuid: applicationPassword.uuid });
  return item({ deleted: true, count: revoked.length });
}

type PasswordCall = AnyCall<'rest_user_invalid_id'> & { params: { user_id: string } };

/** Allows users to manage their own application passwords, and user managers those of others. */
export function authorizePasswords<Code extends string>(
  code: Code,
): (call: PasswordCall & AnyCall<Code>) => Promise<void> {
  return async (call) => {
    const owner = await loadOwner(call);
    if (!canEditUser(owner, call.caller))
      throw call.refuse(code, 'You are not allowed to manage the application passwords of another user.');
  };
}

/** Rejects introspection for any user but the caller. */
export async function authorizeIntrospection(call: Call<typeof introspectApplicationPassword>): Promise<void> {
  const owner = await loadOwner(call);
  if (owner.id !== call.caller.user?.id)
    throw call.refuse(
      'rest_cannot_introspect_app_password_for_non_authenticated_user',
      'You can only introspect the application password of your own request.',
    );
}

/** Loads the user in the path. @throws RestError if there is none */
async function loadOwner(call: PasswordCall): Promise<UserRow> {
  const { user_id: sent } = call.params;
  return sent === 'me' ? requireUser(call.caller) : loadRow(call, users, Number(sent));
}
