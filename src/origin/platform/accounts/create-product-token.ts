import { randomBytes } from 'node:crypto';
import { SortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productToken } from '#origin/platform/store/schema.ts';
import { hashSecret } from './hash-secret.ts';
import { sealText } from './seal-text.ts';

/**
 * Makes a token of the product interface: 40 hex characters. The store keeps its SHA-256, to find it by, and a
 * sealed copy, to show it to its owner again.
 */
export async function createProductToken(
  context: OriginContext,
  { userId, label = '' }: { userId: number; label?: string },
): Promise<{ id: number; token: string }> {
  const token = randomBytes(20).toString('hex');
  const [created] = await context.store.db
    .insert(productToken)
    .values({ userId, label, hash: hashSecret(token), sealed: sealText(context.key, token) })
    .returning({ id: productToken.id });
  if (!created) throw new SortimentError('TOKEN_NOT_STORED', `The store did not take a token of user ${userId}`);
  return { id: created.id, token };
}
