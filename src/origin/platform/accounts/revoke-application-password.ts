import { and, eq } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';

/** Ends an application password of a user for good; those of others stay. */
export async function revokeApplicationPassword(context: OriginContext, userId: number, uuid: string): Promise<void> {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) return;
  await context.store.db
    .delete(applicationPassword)
    .where(and(eq(applicationPassword.uuid, uuid), eq(applicationPassword.userId, userId)));
}
