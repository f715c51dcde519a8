import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { decodeHtml } from '#contracts/html/html-text.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { storedSetting } from '../records/object-settings.ts';
import { seoRecord } from '../records/tables.ts';

/** Query for a group of texts. */
export interface TextQuery {
  name: string;
  /** Condition on `content`, joined with its `seoRecord`. */
  condition: SQL | undefined;
  /** Maximum number of texts, most recently changed first. */
  most: number;
}

export interface TextSummary {
  id: number;
  title: string;
  description: string;
  seoScore: number;
  readabilityScore: number;
}

/** Finds the texts of groups by group name, most recently changed first, in one statement. */
export async function findTexts(
  { context }: AnyCall,
  ...[first, second, ...rest]: readonly [TextQuery, TextQuery, ...TextQuery[]]
): Promise<ReadonlyMap<string, TextSummary[]>> {
  const select = ({ name, condition, most }: TextQuery) =>
    context.store.db
      .select({
        group: sql<string>`${name}::text`,
        id: content.id,
        title: content.title,
        description: storedSetting('description'),
        seoScore: sql<number>`coalesce(${seoRecord.seoScore}, 0)`,
        readabilityScore: sql<number>`coalesce(${seoRecord.readabilityScore}, 0)`,
        modified: content.modifiedGmt,
      })
      .from(content)
      .leftJoin(seoRecord, and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, content.id)))
      .where(condition)
      .orderBy(desc(content.modifiedGmt), desc(content.id))
      .limit(most);
  const rows = await unionAll(select(first), select(second), ...rest.map(select));
  const newestFirst = rows.toSorted((a, b) => b.modified.localeCompare(a.modified) || b.id - a.id);
  return Map.groupBy(
    newestFirst.map((row) => ({ ...row, title: decodeHtml(row.title) })),
    ({ group }) => group,
  );
}
