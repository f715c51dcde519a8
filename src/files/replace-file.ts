import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';

/** Puts a file into its place whole or not at all: it is written beside it and renamed. Makes the folder. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${file}.${randomUUID()}.part`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(unfinished, content);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    // Of a full disk the operating system doesn't say where it is.
    if (error instanceof Error && !('path' in error)) Object.assign(error, { path: file });
    throw error;
  }
}

/**
 * Writes a file that isn't there yet, whole or not at all.
 * @returns How many bytes; undefined if it was there, in which case `make` is not called.
 */
export async function writeOnce(file: string, make: () => Promise<Uint8Array>): Promise<number | undefined> {
  if (existsSync(file)) return undefined;
  const content = await make();
  await replaceFile(file, content);
  return content.length;
}
