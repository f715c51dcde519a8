import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';

/** Writes a file atomically, by renaming a temporary file next to it. Creates the folder. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const temporaryFile = `${file}.${randomUUID()}.part`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(temporaryFile, content);
    await rename(temporaryFile, file);
  } catch (error) {
    await rm(temporaryFile, { force: true });
    // Errors of a full disk lack the path.
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path: file });
    throw error;
  }
}

/** Flushes a file or folder to the disk. Not on Windows, which flushes only files that are open for writing. */
export async function flushPath(target: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(target, 'r');
  await handle.sync();
}

/**
 * Writes a file atomically unless it exists.
 * @returns Number of bytes; undefined if the file existed, in which case `make` is not called.
 */
export async function writeOnce(file: string, make: () => Promise<Uint8Array>): Promise<number | undefined> {
  if (existsSync(file)) return undefined;
  const content = await make();
  await replaceFile(file, content);
  return content.length;
}
