import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { realpath } from 'node:fs/promises';

/** Lists the files below a folder as relative paths with slashes; empty if the folder doesn't exist. */
export function filesIn(folder: string, sinceMs = 0): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => sinceMs === 0 || statSync(file).mtimeMs >= sinceMs)
    .map((file) => path.relative(folder, file).split(path.sep).join('/'));
}

/** Lists the files of a built site as relative paths, without hidden files. */
export function siteFiles(folder: string): string[] {
  return filesIn(folder).filter((file) => !file.startsWith('.'));
}

export function hasFileOfSize(folder: string, file: string, bytes: number): boolean {
  // Called for thousands of files, for which path.join takes as long as the check itself.
  return statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.size === bytes;
}

export function readPage(folder: string, file: string): string | undefined {
  const filePath = path.join(folder, file);
  return existsSync(filePath) ? readFileSync(filePath, 'utf8') : undefined;
}

/** Errors of missing files and invalid paths. A failing disk doesn't count as a missing file. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/** Resolves to undefined if a file is missing. */
export async function ignoreMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.has(String(error.code))) return undefined;
    throw error;
  }
}

/**
 * Resolves symbolic links in the path of a file. Returns undefined for a missing file, and for a link to a target
 * outside the folder.
 */
export async function resolveBelow(folder: string, file: string): Promise<string | undefined> {
  const [root, resolved] = (await ignoreMissing(Promise.all([realpath(folder), realpath(file)]))) ?? [];
  return resolved?.startsWith(root + path.sep) ? resolved : undefined;
}
