import { randomBytes } from 'node:crypto';
import { lt } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { session } from '#origin/platform/store/schema.ts';
import { hashSecret } from './hash-secret.ts';
import { SESSION_SECONDS } from './session-cookie.ts';

/** Signs a browser in and returns the key for its cookie; the store keeps the key's hash only. Clears expired sessions. */
export async function openSession(context: OriginContext, userId: number): Promise<string> {
  const key = randomBytes(32).toString('base64url');
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  await context.store.db.delete(session).where(lt(session.expiresAt, new Date()));
  await context.store.db.insert(session).values({ hash: hashSecret(key), userId, expiresAt });
  return key;
}
