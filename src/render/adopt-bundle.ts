import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { dropCollections } from './collections/cached-collections.ts';
import { newFiles, scanFiles } from './finish-build.ts';
import { findManifest, isOf, openManifest } from './manifest/build-manifest.ts';
import type { CachedBundle } from './bundle/cached-bundle.ts';
import { linkPackages } from './bundle/link-packages.ts';

/** Scripts, styles and fonts that Vite has made for the site, within a bundle. */
const siteFolder = (bundleFolder: string): string => path.join(bundleFolder, 'site');

/** Keeps with a bundle what Vite has put into the site in the same build, so that another checkout needs no Vite. */
export function keepSiteFiles(settings: Settings, begunMs: number): void {
  const { bundleFolder } = buildPaths(settings);
  const unfinished = `${siteFolder(bundleFolder)}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const file of newFiles(settings, begunMs).filter((name) => name.startsWith('_astro/')))
    cpSync(path.join(settings.distFolder, file), path.join(unfinished, file));
  if (existsSync(unfinished)) renameSync(unfinished, siteFolder(bundleFolder));
}

/**
 * Begins a build with a bundle that another checkout of the same sources has made: puts into the site what Vite would
 * have, and leaves nothing that is known of other builds.
 * @returns When it began to write; undefined where the last build of this checkout has used that bundle.
 */
export async function adoptBundle(settings: Settings, { fingerprint }: CachedBundle): Promise<number | undefined> {
  const { bundleFolder, manifestFile } = buildPaths(settings);
  if (isKnown(manifestFile, { fingerprint, distFolder: settings.distFolder })) return undefined;
  const files = siteFolder(bundleFolder);
  if (!existsSync(files)) return undefined;
  linkPackages(path.dirname(bundleFolder), settings.root);
  const writer = openPageWriter(settings.distFolder);
  for (const folder of [files, path.join(settings.root, 'public')].filter((place) => existsSync(place)))
    for (const file of filesIn(folder)) {
      cpSync(path.join(folder, file), path.join(writer.folder, file));
      writer.place(file);
    }
  writer.close();
  // Of another snapshot.
  dropCollections(bundleFolder);
  await beginManifest(settings, fingerprint, writer.begunMs);
  return writer.begunMs;
}

function isKnown(manifestFile: string, of: { fingerprint: string; distFolder: string }): boolean {
  const manifest = findManifest(manifestFile);
  const state = manifest?.state();
  manifest?.close();
  return isOf(state, of) && state?.others !== undefined;
}

/** Writes down that the site has the files of a new bundle, and that none of its pages is known. */
export async function beginManifest(settings: Settings, fingerprint: string, begunMs: number): Promise<void> {
  const { distFolder } = settings;
  const others = await scanFiles(distFolder, newFiles(settings, begunMs));
  const manifest = openManifest(buildPaths(settings).manifestFile);
  const state = { fingerprint, distFolder, complete: false, others };
  manifest.begin(state, isOf(manifest.state(), state) ? [] : 'all');
  manifest.close();
}
