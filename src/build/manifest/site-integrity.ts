import { hasFileOfSize } from '#files/built-files.ts';
import type { BuildState, BuildManifest } from './build-manifest.ts';

/** Checking this many files takes about 50 ms. On larger sites, each build checks another part. */
const MOST_FILES = 2_500;

/**
 * Checks whether the site is as the last build left it, by the size of files. Detects emptied folders, truncated files
 * and partially restored caches. For more than `mostFiles` files, checks all pages that are not about products and a
 * part of the others, which changes with each turn.
 */
export function isSiteIntact(
  manifest: BuildManifest,
  distFolder: string,
  { turn = 0, mostFiles = MOST_FILES }: Pick<BuildState, 'turn'> & { mostFiles?: number },
): boolean {
  const areIntact = (files: Iterable<[string, number]>): boolean =>
    Iterator.from(files).every(([file, bytes]) => hasFileOfSize(distFolder, file, bytes));
  const parts = Math.max(1, Math.ceil(manifest.countFiles() / mostFiles));
  return areIntact(manifest.sizes(turn % parts, parts)) && (parts === 1 || areIntact(manifest.otherSizes()));
}
