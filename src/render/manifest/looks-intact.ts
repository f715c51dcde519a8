import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileLooks, isThere } from '#files/built-files.ts';
import type { BuildState, BuildManifest } from './build-manifest.ts';

/** To look at so many takes about a twentieth of a second. Of a larger site, each build looks at another part. */
const MOST_FILES = 2_500;

/** What the last build has noted, and how much is looked at. */
export interface WholeOptions extends Pick<BuildState, 'folders' | 'turn'> {
  /** @default 2,500 */
  mostFiles?: number;
}

/**
 * Whether the site is as the last build has left it: whoever empties a folder, cuts a file or brings back half of a
 * site from a cache is noticed. Looks at the size of every file. Where there are more than `mostFiles`, it looks at all
 * pages that are not about products, at one part of the others, another one in each turn, and counts what is in the
 * folders of products where something has come or gone since.
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
  // Something else may have been put there.
  return areAsKnown(manifest.sizes({ part: 0, of: 1 }));
}

/** Folders that hold a folder for each product. */
export function productFolders(languages: readonly string[]): string[] {
  return languages.map((language) => `${language}/p`);
}

/** Some file systems tell the time of a change no better. */
const COARSEST_TIME_MS = 2000;

/**
 * How folders look in which nothing is missing, for the next build: that changes when something comes or goes. Not of
 * those that were written to just now: what somebody does there in the same moment wouldn't show.
 * @param before What was noted before: where that still holds, nothing is counted.
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

/** Whether there are as many products in it as there should be. */
function isCounted(manifest: Pick<BuildManifest, 'countBelow'>, distFolder: string, folder: string): boolean {
  return countEntries(path.join(distFolder, folder)) === manifest.countBelow(folder);
}

/** Those that look as they did. */
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

/** Of what is mostly there or mostly gone. */
const FEW_SAMPLES = 40;

/** Whether most of what the last build has made is there no more. */
export function isMostlyGone(manifest: BuildManifest, distFolder: string): boolean {
  const samples = manifest.sample(FEW_SAMPLES);
  return samples.filter(([file, bytes]) => !isThere(distFolder, file, bytes)).length * 2 > samples.length;
}
