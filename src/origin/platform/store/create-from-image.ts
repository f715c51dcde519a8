import { cpSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findInitialImage } from './find-initial-image.ts';

/**
 * Makes the folder of a new, migrated, empty store. It appears whole or not at all: the copy gets its name only
 * when it is on the disk. The caller holds the store's lock.
 */
export async function createFromImage(folder: string): Promise<void> {
  const image = await findInitialImage();
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  cpSync(image, unfinished, { recursive: true });
  await flushTree(unfinished);
  await rename(unfinished, folder);
  await flush(dirname(folder));
}

async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await Promise.all([folder, ...entries.map((entry) => join(entry.parentPath, entry.name))].map(flush));
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
