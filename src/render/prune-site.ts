import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Removes what the site no longer has: every file that is neither expected nor of this build. Files of this build are
 * known by their time, so that what other integrations have written stays.
 * @param sourceOf The file that another one is made of, and stays with.
 * @returns How many files are gone.
 */
export function pruneSite(
  distFolder: string,
  expected: ReadonlySet<string>,
  begunMs: number,
  sourceOf: (file: string) => string | undefined = () => undefined,
): number {
  let removed = 0;
  /** @returns Whether nothing is left of it. */
  const clear = (folder: string): boolean => {
    let left = 0;
    for (const entry of readdirSync(path.join(distFolder, folder), { withFileTypes: true })) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isRepository = folder === '' && entry.name === '.git';
      if (!isRepository && entry.isDirectory() && clear(file)) rmdirSync(path.join(distFolder, file));
      else if (isRepository || entry.isDirectory() || expected.has(file) || expected.has(sourceOf(file) ?? '')) left++;
      else if (statSync(path.join(distFolder, file)).mtimeMs >= begunMs) left++;
      else {
        rmSync(path.join(distFolder, file));
        removed++;
      }
    }
    return left === 0;
  };
  clear('');
  return removed;
}

/** Removes files, and the folders that are empty without them. */
export function removeFiles(distFolder: string, files: Iterable<string>): void {
  for (const file of files) {
    rmSync(path.join(distFolder, file), { force: true });
    for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) {
      if (!removeIfEmpty(path.join(distFolder, folder))) break;
    }
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
