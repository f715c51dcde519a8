import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';

/** The category of posts that were given none. */
export async function seedDefaultCategory(tx: Transaction): Promise<number> {
  const category = { taxonomy: 'category', name: 'Uncategorized', slug: 'uncategorized' } as const;
  const [created] = await tx.insert(term).values(category).returning({ id: term.id });
  return created?.id ?? 0;
}
