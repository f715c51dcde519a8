import { randomInt, randomUUID } from 'node:crypto';
import { and, eq, asc } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { hashApplicationPassword } from './users.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

const LENGTH = 24;

export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

interface NewApplicationPassword {
  userId: number;
  name: string;
  /** Password to store instead of a random one, for seeds and tests. */
  plain?: string;
  /** @default a random one */
  uuid?: string | undefined;
  /** UUID that the application chose for itself. */
  appId?: string;
}

/**
 * Creates a password for one application of a user: 24 letters and digits in groups of four. The plain text is only
 * returned here; the store has its SHA-256.
 */
export async function createApplicationPassword(
  context: OriginContext,
  { plain: password = makePassword(), uuid = randomUUID(), ...rest }: NewApplicationPassword,
): Promise<{ uuid: string; password: string }> {
  await context.store.db.insert(applicationPassword).values({ ...rest, uuid, hash: hashApplicationPassword(password) });
  return { uuid, password };
}

function makePassword(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return letters.replace(/.{4}(?=.)/g, '$& ');
}

/** Lists the application passwords of a user, oldest first, without their secrets. */
export async function listApplicationPasswords(context: OriginContext, userId: number) {
  const { uuid, name, createdAt, lastUsedAt } = applicationPassword;
  return context.store.db
    .select({ uuid, name, createdAt, lastUsedAt })
    .from(applicationPassword)
    .where(eq(applicationPassword.userId, userId))
    .orderBy(asc(createdAt), asc(uuid));
}

/** Revokes an application password. Does nothing if it belongs to another user. */
export async function revokeApplicationPassword(context: OriginContext, userId: number, uuid: string): Promise<void> {
  if (!UUID.test(uuid)) return;
  await context.store.db
    .delete(applicationPassword)
    .where(and(eq(applicationPassword.uuid, uuid), eq(applicationPassword.userId, userId)));
}
