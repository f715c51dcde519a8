import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileLooks, isThere } from '#files/built-files.ts';
import type { BuildState, BuildManifest } from './build-manifest.ts';

/** Checking this many files takes about 50 ms. On larger sites, each build checks another part. */
const MOST_FILES = 2_500;

/** Records of the last build, and the maximum number of files to check. */
export interface WholeOptions extends Pick<BuildState, 'folders' | 'turn'> {
  /** @default 2,500 */
  mostFiles?: number;
}

/**
 * Checks whether the site is as the last build left it, by the size of every file. Detects emptied folders, truncated
 * files and partially restored caches.
 *
 * For more than `mostFiles` files, checks all pages that are not about products and a part of the others, which changes
 * with each turn. Counts entries in product folders that have changed.
 */
export function looksWhole(
  manifest: BuildManifest,
  distFolder: string,
  languages: readonly string[],
  { folders, turn = 0, mostFiles = MOST_FILES }: WholeOptions,
): boolean {
  const isAsKnown = ([file, bytes]: readonly [string, number]): boolean => isThere(distFolder, file, bytes);
  const areAsKnown = (files: Iterable<[string, number]>): boolean => Iterator.from(files).every(isAsKnown);
  const of = Math.max(1, Math.ceil(manifest.countFiles() / mostFiles));
  const part = { part: turn % of, of };
  if (!areAsKnown(manifest.sizes(part)) || !areAsKnown(manifest.generated.part(part))) return false;
  if (of === 1) return true;
  if (!areAsKnown(manifest.otherSizes())) return false;
  const untouched = new Set(untouchedFolders(distFolder, folders));
  const touched = productFolders(languages).filter((folder) => !untouched.has(folder));
  if (touched.every((folder) => isCounted(manifest, distFolder, folder))) return true;
  // Entries may have been replaced.
  return areAsKnown(manifest.sizes({ part: 0, of: 1 }));
}

/** Returns the folders that contain one folder for each product. */
export function productFolders(languages: readonly string[]): string[] {
  return languages.map((language) => `${language}/p`);
}

/** Coarsest timestamp resolution of common file systems. */
const COARSEST_TIME_MS = 2000;

/**
 * Records the state of complete folders for the next build: the state changes when an entry is added or removed. Skips
 * folders that were written just now, because a simultaneous change wouldn't show.
 *
 * @param before The previous record; unchanged folders are not counted again.
 */
export function noteFolders(
  manifest: Pick<BuildManifest, 'countBelow'>,
  distFolder: string,
  folders: readonly string[],
  before: BuildState['folders'] = {},
): NonNullable<BuildState['folders']> {
  const noted: [string, string][] = [];
  for (const folder of folders) {
    const looks = looksOf(distFolder, folder);
    const isWhole = (): boolean => isQuiet(distFolder, folder) && isCounted(manifest, distFolder, folder);
    if (looks === before[folder] || isWhole()) noted.push([folder, looks]);
  }
  return Object.fromEntries(noted);
}

function isQuiet(distFolder: string, folder: string): boolean {
  const stat = statSync(path.join(distFolder, folder), { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < Date.now() - COARSEST_TIME_MS;
}

/** True if the folder contains as many products as it should. */
function isCounted(manifest: Pick<BuildManifest, 'countBelow'>, distFolder: string, folder: string): boolean {
  return countEntries(path.join(distFolder, folder)) === manifest.countBelow(folder);
}

/** Returns the folders whose state is unchanged. */
export function untouchedFolders(distFolder: string, noted: BuildState['folders'] = {}): string[] {
  return Object.keys(noted).filter((folder) => looksOf(distFolder, folder) === noted[folder]);
}

function looksOf(distFolder: string, folder: string): string {
  return JSON.stringify(fileLooks(path.join(distFolder, folder)));
}

function countEntries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

/** Enough to tell a mostly complete site from a mostly missing one. */
const FEW_SAMPLES = 40;

/** True if most files of the last build are missing. */
export function isMostlyGone(manifest: BuildManifest, distFolder: string): boolean {
  const samples = manifest.sample(FEW_SAMPLES);
  return samples.filter(([file, bytes]) => !isThere(distFolder, file, bytes)).length * 2 > samples.length;
}
