import { eq } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { term } from '#origin/platform/store/schema.ts';

/** Each category with all below it: one statement, whatever the depth. */
export async function findDescendants(db: Database, ids: readonly number[]): Promise<number[][]> {
  const all = await db.select({ id: term.id, parentId: term.parentId }).from(term).where(eq(term.taxonomy, 'category'));
  const children = Map.groupBy(all, ({ parentId }) => parentId);
  return ids.map((id) => {
    const below = new Set([id]);
    for (const one of below) for (const child of children.get(one) ?? []) below.add(child.id);
    return [...below];
  });
}
