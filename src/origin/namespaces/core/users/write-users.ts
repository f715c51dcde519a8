import { and, eq, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { getUser, type createUser as declaration, type updateUser } from '#contracts/core/user-routes.ts';
import { role, type Role, type userBody } from '#contracts/core/user.ts';
import { fillPath, isSortimentError, type RouteErrors } from '#contracts/index.ts';
import { createUser as createAccount } from '#origin/platform/accounts/users.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import { created, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import { invalidParameters, type RestError } from '#origin/platform/http/transport/rest-error.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';
import { user } from '#origin/platform/store/schema.ts';
import { presentUser } from './find-users.ts';

/** Limits in characters. Names are short because they are repeated with everything a user writes. */
const MAX_CHARACTERS = { name: 250, first_name: 250, last_name: 250, nickname: 250, url: 2048, description: 65_000 };

/** Creates a user. The default role is subscriber. */
export async function createUser(call: Call<typeof declaration>): Promise<ResultOf<typeof declaration>> {
  const { body, caller, context } = call;
  if (call.others['id'] !== undefined) throw call.refuse('rest_user_exists', 'A new user cannot have an ID.');
  if (body.roles && !can(caller, 'promote_users'))
    throw call.refuse('rest_cannot_edit_roles', 'You are not allowed to assign roles.');
  const role = body.roles ? parseRole(body.roles, call) : 'subscriber';
  const row = await retryTransaction(context.store.db, async (tx) => {
    const store = { ...context.store, db: tx };
    const slug = body.slug ? { slug: await parseUserSlug(tx, call, body.slug) } : {};
    const { username: login, email, password } = body;
    const added = await createAccount(
      { ...context, store },
      { login, email, password, role, ...slug, ...(await parseUserProfile(body, caller)) },
    ).catch((error: unknown) => rethrowAccountError(error, call));
    await announce(tx, { what: 'user', id: String(added.id), action: 'created' });
    return added;
  });
  const site = await loadSite(call);
  return created(
    presentUser(row, { call, context: 'edit', site }),
    call.addresses.rest(fillPath(getUser.path, { id: row.id })),
  );
}

const ERROR_CODES = {
  LOGIN_TAKEN: 'existing_user_login',
  EMAIL_TAKEN: 'existing_user_email',
  SLUG_TAKEN: 'rest_user_invalid_slug',
  WEAK_PASSWORD: 'rest_user_invalid_password',
} as const;

/** Rethrows an account error as a REST error. Other errors are rethrown unchanged. */
export function rethrowAccountError(
  error: unknown,
  { refuse }: AnyCall<(typeof ERROR_CODES)[keyof typeof ERROR_CODES]>,
): never {
  const known: Readonly<Record<string, (typeof ERROR_CODES)[keyof typeof ERROR_CODES]>> = ERROR_CODES;
  const code = isSortimentError(error) ? known[error.code] : undefined;
  if (code === undefined || !(error instanceof Error)) throw error;
  throw refuse(code, `${error.message}.`);
}

type UserInput = z.output<typeof userBody>;

export type UserWriteCall = AnyCall<RouteErrors<typeof updateUser>> & { body: UserInput };

/** @throws RestError unless exactly one known role is given */
export function parseRole(sent: readonly string[], { refuse }: AnyCall<'rest_user_invalid_role'>): Role {
  const [first] = sent;
  const known = role.safeParse(first);
  if (known.success && sent.length === 1) return known.data;
  throw refuse('rest_user_invalid_role', `Invalid roles. Send exactly one of ${role.options.join(', ')}.`);
}

function tooLong(name: string, max: number): RestError {
  const text = `${name} must be at most ${max} characters long.`;
  return invalidParameters([{ name, code: 'rest_too_long', text, data: { status: 400 } }]);
}

/** Returns the profile columns to store. An empty display name is ignored. */
export async function parseUserProfile(sent: UserInput, caller: Caller) {
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
export async function parseUserSlug(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_slug'>,
  sent: string,
  ownId = 0,
): Promise<string> {
  const slug = normaliseSlug(sent);
  const [other] = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.slug, slug), ne(user.id, ownId)))
    .limit(1);
  if (slug === '' || other) throw refuse('rest_user_invalid_slug', 'The slug is empty or already in use.');
  return slug;
}

/** Normalizes an e-mail address. @throws RestError if another user has it */
export async function parseUserEmail(
  tx: Transaction,
  { refuse }: AnyCall<'rest_user_invalid_email'>,
  sent: string,
  ownId: number,
): Promise<string> {
  const email = sent.trim().toLowerCase();
  const [other] = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.email, email), ne(user.id, ownId)))
    .limit(1);
  if (other) throw refuse('rest_user_invalid_email', 'This e-mail address is already in use.');
  return email;
}

/** Ensures that another active administrator remains. @throws RestError if this user is the last one */
export async function requireOtherAdministrator(
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
