import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Removes fetched files that were not used, including those of killed imports. */
export async function removeStagedFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (/^[\da-f]{32}$/.test(name)) await rm(path.join(folder, name), { force: true });
}
