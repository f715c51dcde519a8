import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { IMPORT_COMMANDS, type trackedKind } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content, imported, term } from '#origin/platform/store/schema.ts';

/** Lists imported records that still exist here but were not found at the source. */
export const listMissing = importStep(IMPORT_COMMANDS.absent, async ({ store }, { source, kind, seen }) => {
  const seenIds = new Set(seen);
  const rows = await findExisting(store.db, source.site, kind);
  const absent = rows.filter(({ id }) => !seenIds.has(id));
  return { message: `${absent.length} imported records were not found at the source.`, absent };
});

function findExisting(
  db: Database,
  source: string,
  kind: z.output<typeof trackedKind>,
): Promise<{ id: number; slug: string }[]> {
  const condition = and(eq(imported.source, source), eq(imported.kind, kind));
  const table = kind === 'category' || kind === 'tag' ? term : content;
  return db
    .select({ id: imported.sourceId, slug: table.slug })
    .from(imported)
    .innerJoin(table, eq(table.id, imported.ownId))
    .where(condition);
}
