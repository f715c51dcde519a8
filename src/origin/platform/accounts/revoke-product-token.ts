import { and, eq, isNull } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productToken } from '#origin/platform/store/schema.ts';

/** Ends a token for good. False if there is no such token or it was revoked before. */
export async function revokeProductToken(context: OriginContext, id: number): Promise<boolean> {
  const revoked = await context.store.db
    .update(productToken)
    .set({ revokedAt: new Date() })
    .where(and(eq(productToken.id, id), isNull(productToken.revokedAt)))
    .returning({ id: productToken.id });
  return revoked.length > 0;
}
