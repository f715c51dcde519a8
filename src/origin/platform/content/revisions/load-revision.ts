import { and, desc, eq } from 'drizzle-orm';
import { RestError, type Call } from '#origin/platform/http/transport/index.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { autosaveSlug } from '../keep-revision.ts';

/** A revision or autosave. @throws RestError when there is none under the id */
export function loadRevision(call: Pick<Call, 'context' | 'memo'>, id: number): Promise<ContentRow> {
  return call.memo.once(revisionKey(id), async () => {
    const [row] = await call.context.store.db
      .select()
      .from(content)
      .where(and(eq(content.id, id), eq(content.type, 'revision')))
      .limit(1);
    if (!row) throw new RestError('rest_post_invalid_id', 404, 'There is no revision under this id.');
    return row;
  });
}

export function revisionKey(id: number): string {
  return `revision ${id}`;
}

/** The autosaves of a row, the newest first: at most one for each user. */
export function findAutosaves(db: Pick<Database, 'select'>, parentId: number): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, parentId), eq(content.slug, autosaveSlug(parentId))))
    .orderBy(desc(content.id));
}
