import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { eq } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';

/** @throws when there is no user under the id that was sent for the author */
export async function requireAuthor(
  tx: Transaction,
  { refuse }: Pick<AnyCall<'rest_invalid_author'>, 'refuse'>,
  id: number,
): Promise<number> {
  const [found] = await tx.select({ id: user.id }).from(user).where(eq(user.id, id)).limit(1);
  if (!found) throw refuse('rest_invalid_author', 'There is no user under the id of the author.');
  return found.id;
}
