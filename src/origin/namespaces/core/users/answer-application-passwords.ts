import { fillPath } from '#contracts/index.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import {
  applicationPassword as resource,
  getApplicationPassword,
  type Context,
  type introspectApplicationPassword,
  type listApplicationPasswords,
} from '#contracts/core/index.ts';
import { item, type AnswerOf, type AnyCall, type Call, type Shown } from '#origin/platform/http/transport/index.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { ownerOf, type PasswordCall } from './permit-application-passwords.ts';

export type PasswordRow = typeof applicationPassword.$inferSelect;
/** The application passwords of a user, the oldest first. */
export async function answerPasswords(
  call: Call<typeof listApplicationPasswords>,
): Promise<AnswerOf<typeof listApplicationPasswords>> {
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
): Promise<AnswerOf<typeof getApplicationPassword>> {
  return item(presentPassword(await loadPassword(call, call.params.uuid), call, call.query.context));
}

/** The application password that the caller shows. */
export async function answerPasswordInUse(
  call: Call<typeof introspectApplicationPassword>,
): Promise<AnswerOf<typeof introspectApplicationPassword>> {
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
): Shown<z.input<typeof resource>> {
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
