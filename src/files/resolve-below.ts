import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Errors for names that no file can have, and for paths that lead nowhere. A disk that fails is no missing file. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/** Resolves to undefined where a file is missing. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && MISSING.has(String(error.code))) return undefined;
    throw error;
  }
}

/**
 * Resolves the links in the path of a file.
 *
 * @returns undefined for a missing file, and for one to which a link leads out of the folder
 */
export async function resolveBelow(folder: string, file: string): Promise<string | undefined> {
  const [root, found] = (await unlessMissing(Promise.all([realpath(folder), realpath(file)]))) ?? [];
  return found?.startsWith(root + path.sep) ? found : undefined;
}
