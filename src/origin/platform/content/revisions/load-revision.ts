import { and, desc, eq } from 'drizzle-orm';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { autosaveSlug } from '../keep-revision.ts';

/** A revision or autosave. @throws when there is none under the id */
export function loadRevision(call: AnyCall<'rest_post_invalid_id'>, id: number): Promise<ContentRow> {
  return call.memo.once(revisionKey(id), async () => {
    const [row] = await call.context.store.db
      .select()
      .from(content)
      .where(and(eq(content.id, id), eq(content.type, 'revision')))
      .limit(1);
    if (!row) throw call.refuse('rest_post_invalid_id', 'There is no revision under this id.');
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
