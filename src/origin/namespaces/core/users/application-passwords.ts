import { and, asc, eq } from 'drizzle-orm';
import type { Context } from '#contracts/core/field.ts';
import * as routes from '#contracts/core/user-routes.ts';
import { fillPath } from '#contracts/index.ts';
import { createApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import { loadRow } from '#origin/platform/content/resources/resource.ts';
import {
  created,
  item,
  presentFields,
  requireUser,
  withoutLinks,
  type AnyCall,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { canEditUser, users } from './users.ts';

type PasswordRow = typeof applicationPassword.$inferSelect;

export function serveApplicationPasswords(registry: RouteRegistry): void {
  // Users manage their own application passwords, and user managers those of others.
  const allow = <Code extends string>(code: Code) =>
    registry.with({
      async permit(call: PasswordCall & AnyCall<Code>) {
        if (!canEditUser(await loadOwner(call), call.caller))
          throw call.refuse(code, 'You are not allowed to manage the application passwords of another user.');
      },
    });
  // Oldest first.
  allow('rest_cannot_list_application_passwords')(routes.listApplicationPasswords, async (call) => {
    const { id } = await loadOwner(call);
    const rows = await call.context.store.db
      .select()
      .from(applicationPassword)
      .where(eq(applicationPassword.userId, id))
      .orderBy(asc(applicationPassword.createdAt), asc(applicationPassword.uuid));
    return item(rows.map((row) => presentPassword(row, call, call.query.context)));
  });
  // Only this response contains the secret.
  allow('rest_cannot_create_application_passwords')(routes.createApplicationPassword, async (call) => {
    const { id: userId } = await loadOwner(call);
    const { name, app_id: appId = '' } = call.body;
    const values = { userId, name: plainText(name), appId };
    const { uuid, password } = await createApplicationPassword(call.context, values);
    const shown = presentPassword(await loadPassword(call, uuid), call, 'edit', password);
    // `Location` repeats the self link, so it is omitted if the client didn't select `_links`.
    if (!call.fields.wants('_links')) return { status: 201, body: shown };
    return created(shown, call.addresses.rest(fillPath(routes.getApplicationPassword.path, { user_id: userId, uuid })));
  });
  allow('rest_cannot_delete_application_passwords')(routes.deleteApplicationPasswords, async (call) => {
    const { id } = await loadOwner(call);
    const revoked = await call.context.store.db
      .delete(applicationPassword)
      .where(eq(applicationPassword.userId, id))
      .returning({ uuid: applicationPassword.uuid });
    return item({ deleted: true, count: revoked.length });
  });
  // The application password that authenticated the request.
  registry.serve(
    routes.introspectApplicationPassword,
    async (call) => {
      const { applicationPassword: uuid } = call.caller;
      if (uuid === undefined)
        throw call.refuse(
          'rest_no_authenticated_app_password',
          'The request was not authenticated with an application password.',
        );
      return item(presentPassword(await loadPassword(call, uuid), call, call.query.context));
    },
    {
      permit: async (call) => {
        const owner = await loadOwner(call);
        if (owner.id !== call.caller.user?.id)
          throw call.refuse(
            'rest_cannot_introspect_app_password_for_non_authenticated_user',
            'You can only introspect the application password of your own request.',
          );
      },
    },
  );
  allow('rest_cannot_read_application_password')(routes.getApplicationPassword, async (call) =>
    item(presentPassword(await loadPassword(call, call.params.uuid), call, call.query.context)),
  );
  // Renames it. Other fields are ignored.
  allow('rest_cannot_edit_application_password')(routes.updateApplicationPassword, async (call) => {
    const row = await loadPassword(call, call.params.uuid);
    const name = call.body.name === undefined ? row.name : plainText(call.body.name);
    const { db } = call.context.store;
    await db.update(applicationPassword).set({ name }).where(eq(applicationPassword.uuid, row.uuid));
    return item(presentPassword({ ...row, name }, call, 'edit'));
  });
  allow('rest_cannot_delete_application_password')(routes.deleteApplicationPassword, async (call) => {
    const row = await loadPassword(call, call.params.uuid);
    await call.context.store.db.delete(applicationPassword).where(eq(applicationPassword.uuid, row.uuid));
    return item({ deleted: true, previous: withoutLinks(presentPassword(row, call, 'edit')) });
  });
}

/** Loads an application password of the user in the path. @throws RestError if there is none */
async function loadPassword(
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
function presentPassword(row: PasswordRow, call: AnyCall, context: Context, plain?: string) {
  const self = fillPath(routes.getApplicationPassword.path, { user_id: row.userId, uuid: row.uuid });
  const allow = call.methodsOn(routes.getApplicationPassword.path);
  return presentFields(
    routes.applicationPassword,
    {
      uuid: row.uuid,
      app_id: row.appId,
      name: row.name,
      created: row.createdAt.toISOString().slice(0, 19),
      last_used: row.lastUsedAt && row.lastUsedAt.toISOString().slice(0, 19),
      last_ip: row.lastIp,
      password: plain,
      _links: () => ({ self: [{ href: call.addresses.rest(self), targetHints: { allow } }] }),
    },
    { context, call },
  );
}

type PasswordCall = AnyCall<'rest_user_invalid_id'> & { params: { user_id: string } };

/** Loads the user in the path. @throws RestError if there is none */
async function loadOwner(call: PasswordCall): Promise<UserRow> {
  const { user_id: sent } = call.params;
  return sent === 'me' ? requireUser(call.caller) : loadRow(call, users, Number(sent));
}
