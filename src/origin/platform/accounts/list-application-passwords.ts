import { asc, eq } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { applicationPassword } from '#origin/platform/store/schema.ts';

export interface ApplicationPasswordEntry {
  uuid: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The application passwords of a user, the oldest first; never the passwords themselves. */
export function listApplicationPasswords(context: OriginContext, userId: number): Promise<ApplicationPasswordEntry[]> {
  const { uuid, name, createdAt, lastUsedAt } = applicationPassword;
  return context.store.db
    .select({ uuid, name, createdAt, lastUsedAt })
    .from(applicationPassword)
    .where(eq(applicationPassword.userId, userId))
    .orderBy(asc(createdAt), asc(uuid));
}
