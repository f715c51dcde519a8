import { eq } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { session } from '#origin/platform/store/schema.ts';

/** Signs a browser out: its cookie is worth nothing from now on. */
export async function closeSession(context: OriginContext, id: string): Promise<void> {
  await context.store.db.delete(session).where(eq(session.hash, id));
}
