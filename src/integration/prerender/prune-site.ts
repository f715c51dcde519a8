import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Written by the sitemap's integration, after everything else. */
const SITEMAP = /^sitemap-(index|0)\.xml$/;

/**
 * Removes what the site no longer has: every file that is neither expected nor of this build. Files of this build are
 * known by their time, so that what other integrations have written stays.
 * @returns How many files are gone.
 */
export function pruneSite(distFolder: string, expected: ReadonlySet<string>, begunMs: number): number {
  let removed = 0;
  const clear = (folder: string): void => {
    for (const entry of readdirSync(path.join(distFolder, folder), { withFileTypes: true })) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (folder === '' && (entry.name === '.git' || SITEMAP.test(entry.name))) continue;
      if (entry.isDirectory()) clear(file);
      else if (!expected.has(file) && statSync(path.join(distFolder, file)).mtimeMs < begunMs) {
        rmSync(path.join(distFolder, file));
        removed++;
      }
    }
    if (folder !== '') removeIfEmpty(path.join(distFolder, folder));
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
