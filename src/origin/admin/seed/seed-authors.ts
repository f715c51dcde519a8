import { inArray } from 'drizzle-orm';
import type { DemoUser } from './demo-content.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';

const REGISTERED = new Date('2026-01-05T08:00:00Z');

/** The demo's editorial accounts, which nobody can sign in to. @returns their ids by login */
export async function seedAuthors(tx: Transaction, users: readonly DemoUser[]): Promise<Map<string, number>> {
  const rows = users.map(({ login, email, name, role }) => ({
    login,
    email,
    name,
    slug: login,
    role,
    registeredAt: REGISTERED,
  }));
  await tx.insert(user).values(rows).onConflictDoNothing();
  const logins = users.map(({ login }) => login);
  const found = await tx.select({ id: user.id, login: user.login }).from(user).where(inArray(user.login, logins));
  return new Map(found.map(({ id, login }) => [login, id]));
}
