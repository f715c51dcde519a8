import { eq, like, or, sql, type SQLWrapper } from 'drizzle-orm';
import { type Role, SITE_LOCALE } from '#contracts/core/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { user } from '#origin/platform/store/schema.ts';
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts';

export interface NewUser {
  login: string;
  email: string;
  role: Role;
  /** Without one the account can't sign in. */
  password?: string | undefined;
  /** @default the login */
  name?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** @default the login */
  nickname?: string | undefined;
  /** @default that of the site */
  locale?: string | undefined;
  /** @default made from the login, with a number behind it where it is taken */
  slug?: string | undefined;
  url?: string | undefined;
  description?: string | undefined;
  /** @default true */
  active?: boolean | undefined;
}

/**
 * Creates a user. Logins and addresses differ by more than their case; addresses are kept in lower case.
 *
 * @throws SortimentError `WEAK_PASSWORD`, `LOGIN_TAKEN`, `EMAIL_TAKEN`
 */
export async function createUser(context: OriginContext, wanted: NewUser): Promise<UserRow> {
  const { password, ...rest } = wanted;
  const email = wanted.email.trim().toLowerCase();
  if (password) checkPassword(password, { login: wanted.login, email });
  await refuseTaken(context, wanted.login, email);
  const slug = await findFreeSlug(context, slugify(wanted.slug ?? wanted.login));
  const passwordHash = password ? await hashPassword(password) : '';
  const [created] = await context.store.db
    .insert(user)
    .values({ ...rest, name: wanted.name ?? wanted.login, email, slug, passwordHash })
    .onConflictDoNothing()
    .returning();
  if (created) return created;
  await refuseTaken(context, wanted.login, email);
  throw new SortimentError('SLUG_TAKEN', `Another user got the slug "${slug}" at the same moment`, {
    hint: 'Try again.',
  });
}

async function refuseTaken(context: OriginContext, login: string, email: string): Promise<void> {
  const sameLogin = eq(sql`lower(${user.login})`, login.toLowerCase());
  const rows = await context.store.db
    .select({ email: user.email })
    .from(user)
    .where(or(sameLogin, eq(user.email, email)));
  if (rows.length === 0) return;
  if (rows.some((row) => row.email === email)) {
    throw new SortimentError('EMAIL_TAKEN', `There is a user with the address "${email}"`, {
      hint: 'Choose another address.',
    });
  }
  throw new SortimentError('LOGIN_TAKEN', `There is a user with the login "${login}"`, {
    hint: 'Choose another login.',
  });
}

async function findFreeSlug(context: OriginContext, wanted: string): Promise<string> {
  const rows = await context.store.db
    .select({ slug: user.slug })
    .from(user)
    .where(like(user.slug, `${wanted}%`));
  const taken = new Set(rows.map((row) => row.slug));
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(slug)) return slug;
  }
}

function slugify(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .normalize('NFKD');
  return (
    plain
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'user'
  );
}

/** The user of a login or mail address, in any case; a login goes before another's address. */
export async function findUserByLogin(context: OriginContext, loginOrEmail: string): Promise<UserRow | undefined> {
  const { condition, firstOf } = byLogin(foldLogin(loginOrEmail));
  const [found] = await context.store.db.select().from(user).where(condition).orderBy(firstOf).limit(1);
  return found;
}

/** The same for statements that look for more of a user; the first row is the one that counts. @param wanted folded */
export function byLogin(wanted: string | SQLWrapper) {
  const isLogin = eq(sql`lower(${user.login})`, wanted);
  return { condition: or(isLogin, eq(user.email, wanted)), firstOf: sql`case when ${isLogin} then 0 else 1 end` };
}

export function foldLogin(loginOrEmail: string): string {
  return loginOrEmail.trim().toLowerCase();
}

/** What failures are counted for: a user under login and mail address alike, or a name that nobody has. */
export function accountOf(user: UserRow | undefined, loginOrEmail: string): string {
  return user ? `user ${user.id}` : `name ${foldLogin(loginOrEmail)}`;
}

/** A user as stored. Carries the password's hash: never hand it to a response as it is. */
export type UserRow = typeof user.$inferSelect;

/** The active user whose password this is. Takes the same time whether the user exists or not. */
export async function findPasswordOwner(
  context: OriginContext,
  loginOrEmail: string,
  plain: string,
): Promise<UserRow | undefined> {
  const found = await findUserByLogin(context, loginOrEmail);
  const isRight = await verifyPassword(found?.passwordHash ?? '', plain);
  return found?.active && isRight ? found : undefined;
}

/** The users' public profile, with defaults for empty fields. */
export function profileOf({ firstName, lastName, nickname, locale, login }: UserRow) {
  return {
    first_name: firstName,
    last_name: lastName,
    nickname: nickname || login,
    locale: locale || SITE_LOCALE,
  };
}
