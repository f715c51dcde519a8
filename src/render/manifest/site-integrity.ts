import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileSignature, hasFileOfSize } from '#files/built-files.ts';
import type { BuildState, BuildManifest } from './build-manifest.ts';

/** Checking this many files takes about 50 ms. On larger sites, each build checks another part. */
const MOST_FILES = 2_500;

/** Records of the last build, and the maximum number of files to check. */
export interface IntegrityOptions extends Pick<BuildState, 'folders' | 'turn'> {
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
export function isSiteIntact(
  manifest: BuildManifest,
  distFolder: string,
  languages: readonly string[],
  { folders, turn = 0, mostFiles = MOST_FILES }: IntegrityOptions,
): boolean {
  const isIntact = ([file, bytes]: readonly [string, number]): boolean => hasFileOfSize(distFolder, file, bytes);
  const areIntact = (files: Iterable<[string, number]>): boolean => Iterator.from(files).every(isIntact);
  const parts = Math.max(1, Math.ceil(manifest.countFiles() / mostFiles));
  const part = { part: turn % parts, of: parts };
  if (!areIntact(manifest.sizes(part)) || !areIntact(manifest.generated.part(part))) return false;
  if (parts === 1) return true;
  if (!areIntact(manifest.otherSizes())) return false;
  const untouched = new Set(findUnchangedFolders(distFolder, folders));
  const touched = productFolders(languages).filter((folder) => !untouched.has(folder));
  if (touched.every((folder) => isComplete(manifest, distFolder, folder))) return true;
  // Entries may have been replaced.
  return areIntact(manifest.sizes({ part: 0, of: 1 }));
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
export function recordFolders(
  manifest: Pick<BuildManifest, 'countBelow'>,
  distFolder: string,
  folders: readonly string[],
  before: BuildState['folders'] = {},
): NonNullable<BuildState['folders']> {
  const recorded: [string, string][] = [];
  for (const folder of folders) {
    const current = folderState(distFolder, folder);
    const isWhole = (): boolean => isQuiet(distFolder, folder) && isComplete(manifest, distFolder, folder);
    if (current === before[folder] || isWhole()) recorded.push([folder, current]);
  }
  return Object.fromEntries(recorded);
}

function isQuiet(distFolder: string, folder: string): boolean {
  const stat = statSync(path.join(distFolder, folder), { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < Date.now() - COARSEST_TIME_MS;
}

/** True if the folder contains as many products as it should. */
function isComplete(manifest: Pick<BuildManifest, 'countBelow'>, distFolder: string, folder: string): boolean {
  return countEntries(path.join(distFolder, folder)) === manifest.countBelow(folder);
}

/** Returns the folders whose state is unchanged. */
export function findUnchangedFolders(distFolder: string, recorded: BuildState['folders'] = {}): string[] {
  return Object.keys(recorded).filter((folder) => folderState(distFolder, folder) === recorded[folder]);
}

function folderState(distFolder: string, folder: string): string {
  return JSON.stringify(fileSignature(path.join(distFolder, folder)));
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
export function isMostlyMissing(manifest: BuildManifest, distFolder: string): boolean {
  const samples = manifest.sample(FEW_SAMPLES);
  return samples.filter(([file, bytes]) => !hasFileOfSize(distFolder, file, bytes)).length * 2 > samples.length;
}
