import { eq } from 'drizzle-orm';
import { createApplicationPassword } from '#origin/platform/accounts/index.ts';
import { created, item, type Answer } from '#origin/platform/http/transport/index.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { loadPassword, presentPassword, type PasswordItemCall } from './answer-application-passwords.ts';
import { ownerOf, type PasswordCall } from './permit-application-passwords.ts';

type NamedCall = PasswordCall & { body: { name: string; app_id?: string | undefined } };

/** Makes a password; this answer is the only one that tells it. */
export async function addPassword(call: NamedCall): Promise<Answer> {
  const { id: userId } = await ownerOf(call);
  const { name, app_id: appId = '' } = call.body;
  const wanted = { userId, name: plainText(name), appId };
  const { uuid, password } = await createApplicationPassword(call.context, wanted);
  const row = await loadPassword(call, uuid);
  const shown = presentPassword(row, call, 'edit', password);
  // The address is that of the link: where no links are shown, it is not told either.
  if (!call.fields.wants('_links')) return { status: 201, body: shown };
  return created(shown, call.addresses.rest(`core/v2/users/${userId}/application-passwords/${uuid}`));
}

/** Renames a password; what else is sent does not count. */
export async function renamePassword(
  call: PasswordItemCall & { body: { name?: string | undefined } },
): Promise<Answer> {
  const row = await loadPassword(call, call.params.uuid);
  const name = call.body.name === undefined ? row.name : plainText(call.body.name);
  await call.context.store.db.update(applicationPassword).set({ name }).where(eq(applicationPassword.uuid, row.uuid));
  return item(presentPassword({ ...row, name }, call, 'edit'));
}

/** Revokes a password and answers how it was. */
export async function removePassword(call: PasswordItemCall): Promise<Answer> {
  const row = await loadPassword(call, call.params.uuid);
  await call.context.store.db.delete(applicationPassword).where(eq(applicationPassword.uuid, row.uuid));
  const { _links, ...previous } = presentPassword(row, call, 'edit');
  return item({ deleted: true, previous });
}

/** Revokes all passwords of a user. */
export async function removePasswords(call: PasswordCall): Promise<Answer> {
  const { id } = await ownerOf(call);
  const revoked = await call.context.store.db
    .delete(applicationPassword)
    .where(eq(applicationPassword.userId, id))
    .returning({ uuid: applicationPassword.uuid });
  return item({ deleted: true, count: revoked.length });
}
