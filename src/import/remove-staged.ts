import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Removes the files that were fetched and not taken, those of imports that were killed too. */
export async function removeStaged(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (/^[\da-f]{32}$/.test(name)) await rm(path.join(folder, name), { force: true });
}
