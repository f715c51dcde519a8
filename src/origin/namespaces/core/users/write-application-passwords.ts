import { fillPath } from '#contracts/index.ts';
import { eq } from 'drizzle-orm';
import {
  getApplicationPassword,
  type createApplicationPassword as addDeclaration,
  type deleteApplicationPassword,
  type deleteApplicationPasswords,
  type updateApplicationPassword,
} from '#contracts/core/index.ts';
import { createApplicationPassword } from '#origin/platform/accounts/index.ts';
import { created, item, type AnswerOf, type Call } from '#origin/platform/http/transport/index.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { loadPassword, presentPassword } from './answer-application-passwords.ts';
import { withoutLinks } from '#origin/platform/http/present-fields.ts';
import { ownerOf } from './permit-application-passwords.ts';

/** Makes a password; this answer is the only one that tells it. */
export async function addPassword(call: Call<typeof addDeclaration>): Promise<AnswerOf<typeof addDeclaration>> {
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
): Promise<AnswerOf<typeof updateApplicationPassword>> {
  const row = await loadPassword(call, call.params.uuid);
  const name = call.body.name === undefined ? row.name : plainText(call.body.name);
  await call.context.store.db.update(applicationPassword).set({ name }).where(eq(applicationPassword.uuid, row.uuid));
  return item(presentPassword({ ...row, name }, call, 'edit'));
}

/** Revokes a password and answers how it was. */
export async function removePassword(
  call: Call<typeof deleteApplicationPassword>,
): Promise<AnswerOf<typeof deleteApplicationPassword>> {
  const row = await loadPassword(call, call.params.uuid);
  await call.context.store.db.delete(applicationPassword).where(eq(applicationPassword.uuid, row.uuid));
  return item({ deleted: true, previous: withoutLinks(presentPassword(row, call, 'edit')) });
}

/** Revokes all passwords of a user. */
export async function removePasswords(
  call: Call<typeof deleteApplicationPasswords>,
): Promise<AnswerOf<typeof deleteApplicationPasswords>> {
  const { id } = await ownerOf(call);
  const revoked = await call.context.store.db
    .delete(applicationPassword)
    .where(eq(applicationPassword.userId, id))
    .returning({ uuid: applicationPassword.uuid });
  return item({ deleted: true, count: revoked.length });
}
