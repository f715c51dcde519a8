import { getUser, type createUser as declaration } from '#contracts/core/index.ts';
import { fillPath, isSortimentError } from '#contracts/index.ts';
import { createUser as createAccount } from '#origin/platform/accounts/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { created, type AnswerOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { presentUser } from './present-user.ts';
import { readAbout, readRole, readSlug } from './written-user.ts';

/** Adds a user: a subscriber, unless roles say otherwise. */
export async function createUser(call: Call<typeof declaration>): Promise<AnswerOf<typeof declaration>> {
  const { body, caller, context } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_user_exists', 'A new user has no id yet.');
  if (body.roles && !can(caller, 'promote_users'))
    throw call.refuse('rest_cannot_edit_roles', 'You may not give roles to users.');
  const role = body.roles ? readRole(body.roles, call) : 'subscriber';
  const row = await retryTransaction(context.store.db, async (tx) => {
    const store = { ...context.store, db: tx };
    const slug = body.slug ? { slug: await readSlug(tx, call, body.slug) } : {};
    const { username: login, email, password } = body;
    const added = await createAccount(
      { ...context, store },
      { login, email, password, role, ...slug, ...(await readAbout(body, caller)) },
    ).catch((error: unknown) => wordRefusal(error, call));
    await announce(tx, { what: 'user', id: String(added.id), action: 'created' });
    return added;
  });
  const site = await loadSite(call);
  return created(
    presentUser(row, { call, context: 'edit', site }),
    call.addresses.rest(fillPath(getUser.path, { id: row.id })),
  );
}

const REFUSALS = {
  LOGIN_TAKEN: 'existing_user_login',
  EMAIL_TAKEN: 'existing_user_email',
  SLUG_TAKEN: 'rest_user_invalid_slug',
  WEAK_PASSWORD: 'rest_user_invalid_password',
} as const;

/** A refusal of the accounts, as the interface words it. */
export function wordRefusal(error: unknown, { refuse }: AnyCall<(typeof REFUSALS)[keyof typeof REFUSALS]>): never {
  const known: Readonly<Record<string, (typeof REFUSALS)[keyof typeof REFUSALS]>> = REFUSALS;
  const code = isSortimentError(error) ? known[error.code] : undefined;
  if (code === undefined || !(error instanceof Error)) throw error;
  throw refuse(code, `${error.message}.`);
}
