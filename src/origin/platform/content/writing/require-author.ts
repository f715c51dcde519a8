import { eq } from 'drizzle-orm';
import { RestError } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';

/** @throws RestError when there is no user under the id that was sent for the author */
export async function requireAuthor(tx: Transaction, id: number): Promise<number> {
  const [found] = await tx.select({ id: user.id }).from(user).where(eq(user.id, id)).limit(1);
  if (!found) throw new RestError('rest_invalid_author', 400, 'There is no user under the id of the author.');
  return found.id;
}
