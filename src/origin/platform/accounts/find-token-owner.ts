import { and, eq, isNull } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productToken, user } from '#origin/platform/store/schema.ts';
import { hashSecret } from './hash-secret.ts';
import type { UserRow } from './user-row.ts';

export interface TokenOwner {
  /** May be inactive: look at `user.active`. */
  user: UserRow;
  tokenId: number;
}

/** Whose token this is; undefined if it was never given out or is revoked. */
export async function findTokenOwner(context: OriginContext, token: string): Promise<TokenOwner | undefined> {
  const [found] = await context.store.db
    .select({ user, tokenId: productToken.id })
    .from(productToken)
    .innerJoin(user, eq(user.id, productToken.userId))
    .where(and(eq(productToken.hash, hashSecret(token)), isNull(productToken.revokedAt)))
    .limit(1);
  return found;
}
