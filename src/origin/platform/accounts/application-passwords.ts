import { randomInt, randomUUID } from 'node:crypto';
import { and, eq, asc, sql } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { SITE_COLUMN } from '#origin/platform/site/index.ts';
import { prepareOnce } from '#origin/platform/store/prepare-once.ts';
import { applicationPassword, user } from '#origin/platform/store/schema.ts';
import { hashSecret } from './sealed-texts.ts';
import { byLogin, foldLogin, type UserRow } from './users.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const LENGTH = 24;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The active user who may act by this login (or mail address) and application password. Notes the use and the
 * caller's address, at most once a day. One statement, whoever is asked for, so that time does not tell who exists.
 *
 * @returns with the settings of the site as they are stored, which come in the same statement
 */
export async function findApplicationPassword(
  context: OriginContext,
  loginOrEmail: string,
  password: string,
  address?: string,
): Promise<{ user: UserRow; uuid: string; site: unknown } | undefined> {
  const sent = { login: foldLogin(loginOrEmail), hash: hashApplicationPassword(password) };
  const [found] = await ownerStatement(context.store.db, sent);
  if (!found?.user.active || found.uuid === null) return undefined;
  if (!found.lastUsedAt || Date.now() - found.lastUsedAt.getTime() >= DAY_MS) {
    await context.store.db
      .update(applicationPassword)
      .set({ lastUsedAt: new Date(), ...(address && { lastIp: address }) })
      .where(eq(applicationPassword.uuid, found.uuid));
  }
  return { user: found.user, uuid: found.uuid, site: found.site };
}

const ownerStatement = prepareOnce((db) => {
  const { condition, firstOf } = byLogin(sql.placeholder('login'));
  const { uuid, lastUsedAt, userId, hash } = applicationPassword;
  return db
    .select({ user, uuid, lastUsedAt, site: SITE_COLUMN })
    .from(user)
    .leftJoin(applicationPassword, and(eq(userId, user.id), eq(hash, sql.placeholder('hash'))))
    .where(condition)
    .orderBy(firstOf)
    .limit(1)
    .prepare('');
});

export interface NewApplicationPassword {
  userId: number;
  name: string;
  /** For seeds and tests: a password to store instead of a random one. */
  plain?: string;
  /** @default a random one */
  uuid?: string | undefined;
  /** UUID the application gave itself. */
  appId?: string;
}

/**
 * Makes a password for one application of a user: 24 letters and digits, shown in groups of four. It is shown
 * this once; the store keeps its SHA-256.
 */
export async function createApplicationPassword(
  context: OriginContext,
  { userId, name, plain, uuid = randomUUID(), appId = '' }: NewApplicationPassword,
): Promise<{ uuid: string; password: string }> {
  const password = plain ?? makePassword();
  await context.store.db
    .insert(applicationPassword)
    .values({ uuid, userId, name, appId, hash: hashApplicationPassword(password) });
  return { uuid, password };
}

function makePassword(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return letters.replace(/.{4}(?=.)/g, '$& ');
}

export interface ApplicationPasswordEntry {
  uuid: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The application passwords of a user, the oldest first; never the passwords themselves. */
export function listApplicationPasswords(context: OriginContext, userId: number): Promise<ApplicationPasswordEntry[]> {
  const { uuid, name, createdAt, lastUsedAt } = applicationPassword;
  return context.store.db
    .select({ uuid, name, createdAt, lastUsedAt })
    .from(applicationPassword)
    .where(eq(applicationPassword.userId, userId))
    .orderBy(asc(createdAt), asc(uuid));
}

/** Ends an application password of a user for good; those of others stay. */
export async function revokeApplicationPassword(context: OriginContext, userId: number, uuid: string): Promise<void> {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) return;
  await context.store.db
    .delete(applicationPassword)
    .where(and(eq(applicationPassword.uuid, uuid), eq(applicationPassword.userId, userId)));
}

/** Only letters and digits count: people paste application passwords with and without their spaces. */
function hashApplicationPassword(password: string): string {
  return hashSecret(password.replace(/[^a-zA-Z0-9]/g, ''));
}
