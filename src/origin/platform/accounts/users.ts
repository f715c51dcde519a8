import { and, eq, like, or, sql, type Placeholder } from 'drizzle-orm';
import { SITE_LOCALE } from '#contracts/core/user-routes.ts';
import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { applicationPassword, user, type UserRow } from '#origin/platform/store/schema.ts';
import { prepareOnce } from '#origin/platform/store/store.ts';
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts';
import { hash } from 'node:crypto';

export type { UserRow };

type InsertedUser = typeof user.$inferInsert;

/** Name and slug derive from the login by default. Accounts with no password can't sign in. */
type NewUser = Omit<InsertedUser, 'id' | 'passwordHash' | 'name' | 'slug'> &
  Partial<Pick<InsertedUser, 'name' | 'slug'>> & { password?: string | undefined };

/**
 * Creates a user. Logins and mail addresses are unique regardless of case; addresses are stored in lower case.
 *
 * @throws SortimentError `WEAK_PASSWORD`, `LOGIN_TAKEN`, `EMAIL_TAKEN`
 */
export async function createUser(context: OriginContext, input: NewUser): Promise<UserRow> {
  const { password, ...rest } = input;
  const email = input.email.trim().toLowerCase();
  if (password) checkPassword(password, { login: input.login, email });
  await rejectTaken(context, input.login, email);
  const slug = await findFreeSlug(context, slugify(input.slug ?? input.login));
  const passwordHash = password ? await hashPassword(password) : '';
  const [created] = await context.store.db
    .insert(user)
    .values({ ...rest, name: input.name ?? input.login, email, slug, passwordHash })
    .onConflictDoNothing()
    .returning();
  if (created) return created;
  await rejectTaken(context, input.login, email);
  throw new SortimentError('SLUG_TAKEN', `The slug "${slug}" was taken by another user at the same time.`, {
    hint: 'Try again.',
  });
}

async function rejectTaken(context: OriginContext, login: string, email: string): Promise<void> {
  const sameLogin = eq(sql`lower(${user.login})`, login.toLowerCase());
  const rows = await context.store.db
    .select({ email: user.email })
    .from(user)
    .where(or(sameLogin, eq(user.email, email)));
  if (rows.length === 0) return;
  const isEmail = rows.some((row) => row.email === email);
  const taken = isEmail ? `address "${email}"` : `login "${login}"`;
  throw new SortimentError(isEmail ? 'EMAIL_TAKEN' : 'LOGIN_TAKEN', `The ${taken} belongs to another user.`, {
    hint: `Choose another ${isEmail ? 'address' : 'login'}.`,
  });
}

async function findFreeSlug(context: OriginContext, base: string): Promise<string> {
  const rows = await context.store.db
    .select({ slug: user.slug })
    .from(user)
    .where(like(user.slug, `${base}%`));
  const taken = new Set(rows.map((row) => row.slug));
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}

const TRANSCRIPTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

function slugify(text: string): string {
  const plain = text.toLowerCase().replace(/[äöüß]/g, (letter) => TRANSCRIPTS[letter] ?? letter);
  const words = plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .match(/[a-z0-9]+/g);
  return words?.join('-') ?? 'user';
}

/** Finds a user by login or mail address, case-insensitive. A matching login has priority. */
export async function findUserByLogin(context: OriginContext, loginOrEmail: string): Promise<UserRow | undefined> {
  const { condition, firstOf } = matchLogin(normalizeLogin(loginOrEmail));
  const [found] = await context.store.db.select().from(user).where(condition).orderBy(firstOf).limit(1);
  return found;
}

/** Condition and order for statements that select a user by login or mail address; the first row is the match. */
function matchLogin(name: string | Placeholder) {
  const isLogin = eq(sql`lower(${user.login})`, name);
  return { condition: or(isLogin, eq(user.email, name)), firstOf: sql`case when ${isLogin} then 0 else 1 end` };
}

function normalizeLogin(loginOrEmail: string): string {
  return loginOrEmail.trim().toLowerCase();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Finds the active user of a login (or mail address) and an application password. Records the use and the client's
 * address, at most once a day. A single statement for every outcome, so that timing doesn't reveal which users exist.
 */
export async function findApplicationPassword(
  context: OriginContext,
  loginOrEmail: string,
  password: string,
  clientAddress?: () => string,
): Promise<{ user: UserRow; uuid: string } | undefined> {
  const { db } = context.store;
  const statement = prepareOnce(db, 'application password', (name) => {
    const { condition, firstOf } = matchLogin(sql.placeholder('login'));
    const { uuid, lastUsedAt, userId } = applicationPassword;
    const isRight = eq(applicationPassword.hash, sql.placeholder('hash'));
    return db
      .select({ user, uuid, lastUsedAt })
      .from(user)
      .leftJoin(applicationPassword, and(eq(userId, user.id), isRight))
      .where(condition)
      .orderBy(firstOf)
      .limit(1)
      .prepare(name);
  });
  const login = normalizeLogin(loginOrEmail);
  const [found] = await statement.execute({ login, hash: hashApplicationPassword(password) });
  if (!found?.user.active || found.uuid === null) return undefined;
  if (!found.lastUsedAt || Date.now() - found.lastUsedAt.getTime() >= DAY_MS) {
    await db
      .update(applicationPassword)
      .set({ lastUsedAt: new Date(), ...(clientAddress && { lastIp: clientAddress() }) })
      .where(eq(applicationPassword.uuid, found.uuid));
  }
  return { user: found.user, uuid: found.uuid };
}

/** Hashes letters and digits only, as users paste passwords with and without the spaces. */
export function hashApplicationPassword(password: string): string {
  return hash('sha256', password.replace(/[^a-zA-Z0-9]/g, ''));
}

/** Identifies the account that failed attempts count for: a user, or an unknown name. */
export function throttleAccount(user: UserRow | undefined, loginOrEmail: string): string {
  return user ? `user ${user.id}` : `name ${normalizeLogin(loginOrEmail)}`;
}

/** Finds the active user with this login and password. Takes the same time whether the user exists or not. */
export async function findUserByPassword(
  context: OriginContext,
  loginOrEmail: string,
  plain: string,
): Promise<UserRow | undefined> {
  const found = await findUserByLogin(context, loginOrEmail);
  const isRight = await verifyPassword(found?.passwordHash ?? '', plain);
  return found?.active && isRight ? found : undefined;
}

/** Returns a user's profile fields, with defaults for empty ones. */
export function toProfile({ firstName, lastName, nickname, locale, login }: UserRow) {
  return {
    first_name: firstName,
    last_name: lastName,
    nickname: nickname || login,
    locale: locale || SITE_LOCALE,
  };
}

const SIZES = [24, 48, 96];

/** Returns avatar addresses by size in pixels, at a service that looks them up by a hash of the mail address. */
export function avatarUrls(email: string): Record<string, string> {
  return Object.fromEntries(SIZES.map((size) => [String(size), avatarUrl(email, size)]));
}

export function avatarUrl(email: string, size: number): string {
  const digest = hash('sha256', email.trim().toLowerCase());
  return `https://secure.gravatar.com/avatar/${digest}?s=${size}&d=mm&r=g`;
}
