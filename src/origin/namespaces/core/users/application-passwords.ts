import { and, asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import {
  applicationPassword as resource,
  getApplicationPassword,
  type Context,
  type introspectApplicationPassword,
  type listApplicationPasswords,
  type createApplicationPassword as addDeclaration,
  type deleteApplicationPassword,
  type deleteApplicationPasswords,
  type updateApplicationPassword,
} from '#contracts/core/index.ts';
import { fillPath } from '#contracts/index.ts';
import { createApplicationPassword, type UserRow } from '#origin/platform/accounts/index.ts';
import { presentFields, withoutLinks } from '#origin/platform/http/present-fields.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type SelectedFields,
  created,
} from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { loadUser } from './find-users.ts';
import { mayEditUser } from './permit-user-writing.ts';

export type PasswordRow = typeof applicationPassword.$inferSelect;
/** The application passwords of a user, the oldest first. */
export async function answerPasswords(
  call: Call<typeof listApplicationPasswords>,
): Promise<ResultOf<typeof listApplicationPasswords>> {
  const { id } = await ownerOf(call);
  const rows = await call.context.store.db
    .select()
    .from(applicationPassword)
    .where(eq(applicationPassword.userId, id))
    .orderBy(asc(applicationPassword.createdAt), asc(applicationPassword.uuid));
  return item(rows.map((row) => presentPassword(row, call, call.query.context)));
}

/** One application password. */
export async function answerPassword(
  call: Call<typeof getApplicationPassword>,
): Promise<ResultOf<typeof getApplicationPassword>> {
  return item(presentPassword(await loadPassword(call, call.params.uuid), call, call.query.context));
}

/** The application password that the caller shows. */
export async function answerPasswordInUse(
  call: Call<typeof introspectApplicationPassword>,
): Promise<ResultOf<typeof introspectApplicationPassword>> {
  const { applicationPassword: uuid } = call.caller;
  if (uuid === undefined)
    throw call.refuse('rest_no_authenticated_app_password', 'You did not sign in with an application password.');
  return item(presentPassword(await loadPassword(call, uuid), call, call.query.context));
}

/** A password of the user that the call is about. @throws when there is none */
export async function loadPassword(
  call: PasswordCall & AnyCall<'rest_application_password_not_found'>,
  uuid: string,
): Promise<PasswordRow> {
  const { id } = await ownerOf(call);
  const [row] = UUID.test(uuid)
    ? await call.context.store.db
        .select()
        .from(applicationPassword)
        .where(and(eq(applicationPassword.uuid, uuid), eq(applicationPassword.userId, id)))
        .limit(1)
    : [];
  if (!row) throw call.refuse('rest_application_password_not_found', 'There is no such application password.');
  return row;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A password as the wire shows it. @param plain its letters, for the one answer that tells them */
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
      uuid: () => row.uuid,
      app_id: () => row.appId,
      name: () => row.name,
      created: () => wireTime(row.createdAt),
      last_used: () => row.lastUsedAt && wireTime(row.lastUsedAt),
      last_ip: () => row.lastIp,
      password: () => plain,
      _links: () => ({ self: [{ href: call.addresses.rest(self), targetHints: { allow } }] }),
    },
    { context, call },
  );
}

function wireTime(moment: Date): string {
  return moment.toISOString().slice(0, 19);
}

/** Makes a password; this answer is the only one that tells it. */
export async function addPassword(call: Call<typeof addDeclaration>): Promise<ResultOf<typeof addDeclaration>> {
  const { id: userId } = await ownerOf(call);
  const { name, app_id: appId = '' } = call.body;
  const wanted = { userId, name: plainText(name), appId };
  const { uuid, password } = await createApplicationPassword(call.context, wanted);
  const row = await loadPassword(call, uuid);
  const shown = presentPassword(row, call, 'edit', password);
  // The address is that of the link: where no links are shown, it is not told either.
  if (!call.fields.wants('_links')) return { status: 201, body: shown };
  return created(shown, call.addresses.rest(fillPath(getApplicationPassword.path, { user_id: userId, uuid })));
}

/** Renames a password; what else is sent does not count. */
export async function renamePassword(
  call: Call<typeof updateApplicationPassword>,
): Promise<ResultOf<typeof updateApplicationPassword>> {
  const row = await loadPassword(call, call.params.uuid);
  const name = call.body.name === undefined ? row.name : plainText(call.body.name);
  await call.context.store.db.update(applicationPassword).set({ name }).where(eq(applicationPassword.uuid, row.uuid));
  return item(presentPassword({ ...row, name }, call, 'edit'));
}

/** Revokes a password and answers how it was. */
export async function removePassword(
  call: Call<typeof deleteApplicationPassword>,
): Promise<ResultOf<typeof deleteApplicationPassword>> {
  const row = await loadPassword(call, call.params.uuid);
  await call.context.store.db.delete(applicationPassword).where(eq(applicationPassword.uuid, row.uuid));
  return item({ deleted: true, previous: withoutLinks(presentPassword(row, call, 'edit')) });
}

/** Revokes all passwords of a user. */
export async function removePasswords(
  call: Call<typeof deleteApplicationPasswords>,
): Promise<ResultOf<typeof deleteApplicationPasswords>> {
  const { id } = await ownerOf(call);
  const revoked = await call.context.store.db
    .delete(applicationPassword)
    .where(eq(applicationPassword.userId, id))
    .returning({ uuid: applicationPassword.uuid });
  return item({ deleted: true, count: revoked.length });
}

type PasswordCall = AnyCall<'rest_user_invalid_id'> & { params: { user_id: string } };

/** Application passwords are for their user and for who manages users. */
export function permitPasswords<Code extends string>(
  code: Code,
): (call: PasswordCall & AnyCall<Code>) => Promise<void> {
  return async (call) => {
    const owner = await ownerOf(call);
    if (!mayEditUser(owner, call.caller)) throw call.refuse(code, 'These are passwords of another user.');
  };
}

/** The password in use is nobody's business but its user's. */
export async function permitIntrospection(call: Call<typeof introspectApplicationPassword>): Promise<void> {
  const owner = await ownerOf(call);
  if (owner.id !== call.caller.user?.id)
    throw call.refuse(
      'rest_cannot_introspect_app_password_for_non_authenticated_user',
      'You may only look at the password that you show yourself.',
    );
}

/** Whose passwords a call is about. @throws when there is no such user */
async function ownerOf(call: PasswordCall): Promise<UserRow> {
  const { user_id: sent } = call.params;
  return sent === 'me' ? requireUser(call.caller) : loadUser(call, Number(sent));
}
