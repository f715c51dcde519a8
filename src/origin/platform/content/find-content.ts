import { count } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { contentCondition } from './content-condition.ts';
import type { ContentFilter, ContentOrder } from './content-filter.ts';
import { contentOrdering } from './content-ordering.ts';

export interface Window {
  limit: number;
  offset: number;
}

/** A window of the rows that match, and how many match: two statements, however long the list. */
export async function findContent(
  db: Database,
  filter: ContentFilter,
  order: ContentOrder,
  { limit, offset }: Window,
): Promise<{ rows: ContentRow[]; total: number }> {
  const condition = contentCondition(db, filter);
  const [rows, counted] = await Promise.all([
    db
      .select()
      .from(content)
      .where(condition)
      .orderBy(...contentOrdering(order, filter))
      .limit(limit)
      .offset(offset),
    db.select({ total: count() }).from(content).where(condition),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}
