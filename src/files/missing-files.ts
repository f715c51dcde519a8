import { realpath } from 'node:fs/promises';
import path from 'node:path';

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
