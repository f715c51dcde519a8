import { randomInt, randomUUID } from 'node:crypto';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { hashApplicationPassword } from './hash-application-password.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 24;

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
