import { asc, eq } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productToken } from '#origin/platform/store/schema.ts';

export interface ProductTokenEntry {
  id: number;
  userId: number;
  label: string;
  createdAt: Date;
  revokedAt?: Date;
}

/** All tokens, or those of one user, revoked ones included, oldest first; never the tokens themselves. */
export async function listProductTokens(
  context: OriginContext,
  filter: { userId?: number } = {},
): Promise<ProductTokenEntry[]> {
  const rows = await context.store.db
    .select({
      id: productToken.id,
      userId: productToken.userId,
      label: productToken.label,
      createdAt: productToken.createdAt,
      revokedAt: productToken.revokedAt,
    })
    .from(productToken)
    .where(filter.userId === undefined ? undefined : eq(productToken.userId, filter.userId))
    .orderBy(asc(productToken.id));
  return rows.map(({ revokedAt, ...row }) => (revokedAt ? { ...row, revokedAt } : row));
}
