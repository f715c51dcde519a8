import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IMPORT_STEPS } from '#contracts/index.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { seedOrigin } from '#origin/admin/seed/index.ts';
import { recoverMedia } from '#origin/namespaces/core/media/file-journal.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

/** Makes sure that there is something to import into, and tells in which folder files are to be left. */
export const beginImport = importStep(IMPORT_STEPS.begin, async (context) => {
  await seedOrigin(context, {});
  await recoverMedia(context);
  const folder = stagingFolder(context);
  await mkdir(folder, { recursive: true });
  return { message: `Files are taken from ${folder}.`, folder };
});

/** Beside what is served, and not served itself. */
export function stagingFolder({ filesFolder }: Pick<OriginContext, 'filesFolder'>): string {
  return join(filesFolder, 'import');
}
