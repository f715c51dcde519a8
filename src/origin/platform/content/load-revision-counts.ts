import { and, count, eq, inArray, max } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';

export interface RevisionCount {
  count: number;
  newestId: number;
}

/** How many revisions some rows have and which is the newest, autosaves included: one statement. */
export async function loadRevisionCounts(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RevisionCount>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ parentId: content.parentId, count: count(), newestId: max(content.id) })
    .from(content)
    .where(and(eq(content.type, 'revision'), inArray(content.parentId, [...ids])))
    .groupBy(content.parentId);
  return new Map(found.map(({ parentId, count, newestId }) => [parentId, { count, newestId: newestId ?? 0 }]));
}
