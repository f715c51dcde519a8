import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IMPORT_COMMANDS } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { seedOrigin } from '#origin/admin/seed/seed-origin.ts';
import { recoverMedia } from '#origin/namespaces/core/media/file-journal.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

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
