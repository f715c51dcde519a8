import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Transaction } from '#origin/platform/store/index.ts';
import { imported, option, term } from '#origin/platform/store/schema.ts';
import { hasOwnContent } from './has-own-content.ts';

const SITE = 'site';
const withUsual = z.looseObject({ default_category: z.int() });

/**
 * Gives the category that a new origin begins with another number, where a term that comes has had that one: nothing
 * carries it yet.
 */
export async function makeRoom(tx: Transaction, id: number, source: string): Promise<void> {
  const [stored] = await tx.select().from(option).where(eq(option.name, SITE));
  const site = withUsual.safeParse(stored?.value);
  if (!site.success || site.data.default_category !== id || (await hasOwnContent(tx, source))) return;
  const isCategory = and(eq(imported.kind, 'category'), eq(imported.ownId, id));
  const came = await tx.select({ id: imported.ownId }).from(imported).where(isCategory).limit(1);
  const [usual] = await tx.select().from(term).where(eq(term.id, id));
  if (came.length > 0 || !usual) return;
  const { id: _, ...same } = usual;
  await tx.delete(term).where(eq(term.id, id));
  const [moved] = await tx.insert(term).values(same).returning({ id: term.id });
  if (!moved) throw new Error('The store did not return the category it moved.');
  const value = { ...site.data, default_category: moved.id };
  await tx.update(option).set({ value }).where(eq(option.name, SITE));
}
