import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { dropCollections } from './collections/current-collections.ts';
import { listNewFiles, scanFiles } from './finish-build.ts';
import { findManifest, matchesBuild, openManifest } from './manifest/build-manifest.ts';
import { type CachedBundle, linkPackages } from './bundle/cached-bundle.ts';

/** Holds the scripts, styles and fonts that Vite has generated for the site. */
const siteFolder = (bundleFolder: string): string => path.join(bundleFolder, 'site');

/** Copies Vite's output of this build into the bundle, so that another checkout needs no Vite. */
export function saveSiteFiles(settings: Settings, begunMs: number): void {
  const { bundleFolder } = buildPaths(settings);
  const unfinished = `${siteFolder(bundleFolder)}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const file of listNewFiles(settings, begunMs).filter((name) => name.startsWith('_astro/')))
    cpSync(path.join(settings.distFolder, file), path.join(unfinished, file));
  if (existsSync(unfinished)) renameSync(unfinished, siteFolder(bundleFolder));
}

/**
 * Starts a build with a bundle from another checkout of the same sources. Copies Vite's files into the site and clears
 * what is recorded of earlier builds.
 *
 * @returns The start of the write in milliseconds; undefined if the last build of this checkout has used this bundle.
 */
export async function adoptBundle(settings: Settings, { fingerprint }: CachedBundle): Promise<number | undefined> {
  const { bundleFolder, manifestFile } = buildPaths(settings);
  if (isCurrent(manifestFile, { fingerprint, distFolder: settings.distFolder })) return undefined;
  const files = siteFolder(bundleFolder);
  if (!existsSync(files)) return undefined;
  linkPackages(path.dirname(bundleFolder), settings.root);
  const writer = openPageWriter(settings.distFolder);
  for (const folder of [files, path.join(settings.root, 'public')].filter((candidate) => existsSync(candidate)))
    for (const file of filesIn(folder)) {
      cpSync(path.join(folder, file), path.join(writer.folder, file));
      writer.place(file);
    }
  writer.close();
  // They belong to another snapshot.
  dropCollections(bundleFolder);
  await initManifest(settings, fingerprint, writer.begunMs);
  return writer.begunMs;
}

function isCurrent(manifestFile: string, expected: { fingerprint: string; distFolder: string }): boolean {
  const manifest = findManifest(manifestFile);
  const state = manifest?.state();
  manifest?.close();
  return matchesBuild(state, expected) && state?.others !== undefined;
}

/** Records that the site contains the files of a new bundle, and that all of its pages are stale. */
export async function initManifest(settings: Settings, fingerprint: string, begunMs: number): Promise<void> {
  const { distFolder } = settings;
  const others = await scanFiles(distFolder, listNewFiles(settings, begunMs));
  const manifest = openManifest(buildPaths(settings).manifestFile);
  const state = { fingerprint, distFolder, complete: false, others };
  manifest.begin(state, matchesBuild(manifest.state(), state) ? [] : 'all');
  manifest.close();
}
