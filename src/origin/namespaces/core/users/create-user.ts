import { isSortimentError } from '#contracts/index.ts';
import { createUser as createAccount } from '#origin/platform/accounts/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { created, refuse, RestError, type Answer } from '#origin/platform/http/transport/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { presentUser } from './present-user.ts';
import { readAbout, readRole, readSlug, type UserWritingCall } from './written-user.ts';

type CreationCall = UserWritingCall & { body: { username: string; email: string; password: string } };

/** Adds a user: a subscriber, unless roles say otherwise. */
export async function createUser(call: CreationCall): Promise<Answer> {
  const { body, caller, context } = call;
  if (call.others['id'] !== undefined) throw new RestError('rest_user_exists', 400, 'A new user has no id yet.');
  if (body.roles && !can(caller, 'promote_users'))
    throw refuse(caller, 'rest_cannot_edit_roles', 'You may not give roles to users.');
  const role = body.roles ? readRole(body.roles) : 'subscriber';
  const row = await retryTransaction(context.store.db, async (tx) => {
    const store = { ...context.store, db: tx };
    const slug = body.slug ? { slug: await readSlug(tx, body.slug) } : {};
    const { username: login, email, password } = body;
    const added = await createAccount(
      { ...context, store },
      { login, email, password, role, ...slug, ...(await readAbout(body, caller)) },
    ).catch(wordRefusal);
    await announce(tx, { what: 'user', id: String(added.id), action: 'created' });
    return added;
  });
  const site = await loadSite(call);
  return created(presentUser(row, { call, context: 'edit', site }), call.addresses.rest(`core/v2/users/${row.id}`));
}

const REFUSALS: Readonly<Record<string, string>> = {
  LOGIN_TAKEN: 'existing_user_login',
  EMAIL_TAKEN: 'existing_user_email',
  SLUG_TAKEN: 'rest_user_invalid_slug',
  WEAK_PASSWORD: 'rest_user_invalid_password',
};

/** A refusal of the accounts, as the interface words it. */
export function wordRefusal(error: unknown): never {
  const code = isSortimentError(error) ? REFUSALS[error.code] : undefined;
  if (code === undefined || !(error instanceof Error)) throw error;
  throw new RestError(code, 400, `${error.message}.`);
}
