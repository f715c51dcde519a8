import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { OwnedRow } from './content-rights.ts';

/** The media that stand for some rows, by their own id, with what decides who may see them: one statement. */
export async function loadFeaturedMedia(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, OwnedRow>> {
  const wanted = [...new Set(ids)].filter((id) => id !== 0);
  if (wanted.length === 0) return new Map();
  const found = await db
    .select({
      id: content.id,
      type: content.type,
      status: content.status,
      statusBeforeTrash: content.statusBeforeTrash,
      authorId: content.authorId,
      parentId: content.parentId,
    })
    .from(content)
    .where(and(eq(content.type, 'attachment'), inArray(content.id, wanted)));
  return new Map(found.map((row) => [row.id, row]));
}
