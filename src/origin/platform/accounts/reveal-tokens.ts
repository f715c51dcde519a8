import { and, asc, eq, isNull } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productToken } from '#origin/platform/store/schema.ts';
import { unsealText } from './unseal-text.ts';

export interface RevealedToken {
  id: number;
  label: string;
  createdAt: Date;
  /** In clear; undefined if it was sealed under another key than the origin has now. */
  token: string | undefined;
}

/** The valid tokens of a user in clear, for the eyes of that user only: answer with `Cache-Control: no-store`. */
export async function revealTokens(context: OriginContext, userId: number): Promise<RevealedToken[]> {
  const rows = await context.store.db
    .select()
    .from(productToken)
    .where(and(eq(productToken.userId, userId), isNull(productToken.revokedAt)))
    .orderBy(asc(productToken.id));
  return rows.map(({ id, label, createdAt, sealed }) => ({
    id,
    label,
    createdAt,
    token: unsealText(context.key, sealed),
  }));
}
