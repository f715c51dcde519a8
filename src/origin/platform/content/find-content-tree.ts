import { inArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { contentCondition } from './content-condition.ts';
import type { ContentFilter, ContentOrder } from './content-filter.ts';
import { contentOrdering } from './content-ordering.ts';
import { arrangeTree } from './arrange-tree.ts';
import type { Window } from './find-content.ts';
import { loadAncestors } from './load-ancestors.ts';

/** A window of the rows that match with children right behind their parents, each with its depth. */
export async function findContentTree(
  db: Database,
  filter: ContentFilter,
  order: ContentOrder,
  { limit, offset }: Window,
): Promise<{ rows: ContentRow[]; levels: ReadonlyMap<number, number>; total: number }> {
  const matching = await db
    .select({ id: content.id, parentId: content.parentId })
    .from(content)
    .where(contentCondition(db, filter))
    .orderBy(...contentOrdering(order, filter));
  const ancestors = await loadAncestors(db, matching);
  const arranged = arrangeTree(matching, (id) => ancestors.get(id)?.parentId ?? 0);
  const shown = arranged.slice(offset, offset + limit);
  const ids = shown.map(({ id }) => id);
  const found = ids.length > 0 ? await db.select().from(content).where(inArray(content.id, ids)) : [];
  const byId = new Map(found.map((row) => [row.id, row]));
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    levels: new Map(shown.map(({ id, level }) => [id, level])),
    total: matching.length,
  };
}
