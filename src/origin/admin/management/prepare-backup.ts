import { copyFile, link, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { codeOf, SortimentError } from '#contracts/sortiment-error.ts';
import { ignoreMissing } from '#files/built-files.ts';
import { command } from './command.ts';

/** Content of a backup, described by `backup.json`. */
export const backupManifest = z.object({
  format: z.literal(1),
  engine: z.enum(['pglite', 'postgres']),
  /** True if files are in a bucket, which the backup doesn't include. */
  hasBucket: z.boolean(),
});

export const backupFolder = (dataFolder: string): string => join(dataFolder, 'backup');

/** Copies the embedded store, the key and links to all files to `backup` in the data folder. */
export const prepareBackup = command(z.strictObject({}), async ({ store, key, filesFolder, files }) => {
  const content = backupFolder(dirname(filesFolder));
  const { engine } = store;
  const hasBucket = files.media.folder === undefined;
  const manifest: z.infer<typeof backupManifest> = { format: 1, engine, hasBucket };
  try {
    await mkdir(content, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new SortimentError('BACKUP_RUNNING', `Another backup is being prepared in "${content}".`, {
      hint: 'Wait until it has ended. If none is running, delete the folder.',
    });
  }
  await writeFile(join(content, 'backup.json'), JSON.stringify(manifest));
  await writeFile(join(content, 'key'), key, { mode: 0o600 });
  await store.copyTo?.(join(content, 'store'));
  const count = hasBucket ? 0 : await linkFiles(filesFolder, join(content, 'files'));
  return { message: '', ...manifest, files: count };
});

/** Links all files, which are replaced but never modified. Copies them where links aren't supported. */
async function linkFiles(from: string, to: string): Promise<number> {
  const entries = (await ignoreMissing(readdir(from, { recursive: true, withFileTypes: true }))) ?? [];
  const found = entries.filter((entry) => entry.isFile() && !/[\\/]\.incoming$/.test(entry.parentPath));
  for (const { parentPath, name } of found) {
    const folder = join(to, relative(from, parentPath));
    await mkdir(folder, { recursive: true });
    const [source, target] = [join(parentPath, name), join(folder, name)];
    await link(source, target).catch(() => ignoreMissing(copyFile(source, target)));
  }
  return found.length;
}
