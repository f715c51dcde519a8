import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar/fs';
import { tryParse } from '#contracts/scan-text.ts';
import { codeOf, describeSystemError, getErrorMessage, SortimentError } from '#contracts/sortiment-error.ts';
import { ignoreMissing } from '#files/built-files.ts';
import { acquireLock } from '#origin/platform/store/acquire-lock.ts';
import { openPglite, publishFolder } from '#origin/platform/store/open-store.ts';
import { formatCount, type CommandResult } from './command.ts';
import type { ManagementOptions } from './management-app.ts';
import { backupFolder, backupManifest } from './prepare-backup.ts';
import { runManagement } from './run-management.ts';

const CONTENT = /^(?:backup\.json|key|(?:store|files)(?:\/.*)?)$/;

/**
 * Writes store, files and key to a new archive, readable by its owner only.
 *
 * @throws {SortimentError} BACKUP_EXISTS, STORE_LOCKED if another backup is running, and those of `openStore`
 */
export async function createBackup(options: ManagementOptions, file: string): Promise<CommandResult> {
  if (existsSync(file)) {
    throw new SortimentError('BACKUP_EXISTS', `"${file}" already exists.`, { hint: 'Give another name.' });
  }
  const leftovers = [backupFolder(options.dataFolder), `${file}.part`] as const;
  const [content, unfinished] = leftovers;
  const removeLeftovers = () => Promise.all(leftovers.map((path) => rm(path, { recursive: true, force: true })));
  const lock = acquireLock(`${content}.lock`, () => undefined);
  try {
    await removeLeftovers();
    await mkdir(dirname(file), { recursive: true });
    const { engine, hasBucket, files } = await runManagement(options, 'backup prepare', {});
    const archive = createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(packTar(content), createGzip(), archive);
    await rename(unfinished, file);
    const saved = [...(engine === 'pglite' ? ['the store'] : []), formatCount(Number(files), 'file'), 'the key'];
    const lines = [
      `Saved ${new Intl.ListFormat('en-GB').format(saved)} to "${file}". Keep it secret: the key decrypts tokens.`,
    ];
    if (engine === 'postgres')
      lines.push('Back up the database as well: pg_dump --format=custom --file=origin.dump "$DATABASE_URL"');
    if (hasBucket) lines.push('Back up the bucket as well: it holds the files.');
    return { message: lines.join('\n'), file, engine, files, hasBucket };
  } finally {
    await removeLeftovers();
    lock.release();
  }
}

/**
 * Unpacks a backup next to the data folder, checks it, and renames it.
 *
 * @throws {SortimentError} DATA_FOLDER_NOT_EMPTY, BACKUP_INVALID, BACKUP_OTHER_DATABASE, STORE_NEWER, STORE_UNREADABLE
 */
export async function restoreBackup(options: ManagementOptions, file: string): Promise<CommandResult> {
  const { dataFolder, databaseUrl } = options;
  const existing = (await ignoreMissing(readdir(dataFolder))) ?? [];
  if (existing.length > 0) throw createNotEmptyError(dataFolder);
  const unfinished = `${dataFolder}.restoring`;
  try {
    const { engine, hasBucket } = await unpack(file, unfinished);
    if (engine !== (databaseUrl ? 'postgres' : 'pglite')) {
      const [given, advice] = engine === 'postgres' ? ['with', 'Set'] : ['without', 'Unset'];
      throw new SortimentError('BACKUP_OTHER_DATABASE', `"${file}" is from an origin ${given} DATABASE_URL.`, {
        hint: `${advice} DATABASE_URL. Nothing was restored.`,
      });
    }
    if (engine === 'pglite') await (await openPglite(unfinished)).close();
    await ignoreMissing(rmdir(dataFolder));
    await publishFolder(unfinished, dataFolder);
    const lines = [`Restored "${file}" to ${dataFolder}.`];
    if (engine === 'postgres')
      lines.push('Restore the database as well: pg_restore --dbname="$DATABASE_URL" origin.dump');
    if (hasBucket) lines.push('Its files are in the bucket.');
    return { message: lines.join('\n'), engine, hasBucket };
  } catch (error) {
    throw codeOf(error) === 'ENOTEMPTY' ? createNotEmptyError(dataFolder) : error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function unpack(file: string, folder: string) {
  const filter = ({ name, type }: { name: string; type?: string }) => {
    if (CONTENT.test(name) && type !== 'symlink') return true;
    throw new Error(`unexpected "${name}"`);
  };
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(createReadStream(file), createGunzip(), unpackTar(folder, { strict: true, filter }));
    const description = join(folder, 'backup.json');
    const manifest = backupManifest.safeParse(tryParse((await ignoreMissing(readFile(description, 'utf8'))) ?? ''));
    if (!manifest.success) throw new Error('no valid backup.json');
    for (const name of ['key', ...(manifest.data.engine === 'pglite' ? ['store'] : [])])
      if (!existsSync(join(folder, name))) throw new Error(`no ${name}`);
    await rm(description);
    return manifest.data;
  } catch (cause) {
    if (describeSystemError(cause)) throw cause;
    throw new SortimentError('BACKUP_INVALID', `"${file}" is not a complete backup: ${getErrorMessage(cause)}.`, {
      hint: 'Restore another backup. Nothing was written.',
      cause,
    });
  }
}

function createNotEmptyError(dataFolder: string): SortimentError {
  return new SortimentError('DATA_FOLDER_NOT_EMPTY', `The data folder ${dataFolder} is not empty.`, {
    hint: 'Move it away, or give another one with --data.',
  });
}
