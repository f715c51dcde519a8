import { type ImportSource, IMPORT_COMMANDS } from '#contracts/import.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { loadSite, type Site } from '#origin/platform/site/load-site.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { importStep } from '#origin/admin/management/command.ts';
import { seedOrigin } from '#origin/admin/seed/seed-origin.ts';
import { recoverMedia } from '#origin/namespaces/core/media/store-media-files.ts';
import { eq, getTableName, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '#origin/platform/store/query-errors.ts';

type Numbered = PgTable & { id: AnyPgColumn };

/** An ID near the end of the sequence would leave no room for new rows. */
const MAX_PRESERVED_ID = 2 ** 31 - 1;

/**
 * Returns the source's ID for the insert if it is free, so that addresses with IDs keep working. Otherwise the row gets
 * the next ID. Moves the table's sequence past the ID.
 */
export async function preserveId(tx: Transaction, table: Numbered, id: number): Promise<{ id?: number }> {
  if (id > MAX_PRESERVED_ID) return {};
  const existing = await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).limit(1);
  if (existing.length > 0) return {};
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, greatest(${id}::bigint, nextval(${sequence})))`);
  return { id };
}

/** Context for writing imported records. */
export interface ImportJob {
  context: OriginContext;
  source: ImportSource;
  site: Site;
  /** Base address of links in stored texts. */
  home: string;
}

export async function createImportJob(context: OriginContext, source: ImportSource): Promise<ImportJob> {
  const site = await loadSite({ context, requestMemo: new Memo() });
  return { context, source, site, home: site.url ?? context.publicUrl };
}

/** Prepares the store for an import and returns the folder for fetched files. */
export const startImport = importStep(IMPORT_COMMANDS.begin, async (context) => {
  await seedOrigin(context, {});
  await recoverMedia(context);
  const folder = getStagingFolder(context);
  await mkdir(folder, { recursive: true });
  return { message: `Fetched files belong into ${folder}.`, folder };
});

/** Staging folder, outside the served files. */
export function getStagingFolder({ filesFolder }: Pick<OriginContext, 'filesFolder'>): string {
  return join(filesFolder, 'import');
}
