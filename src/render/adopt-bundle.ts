import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { dropCollections } from './collections/current-collections.ts';
import { listNewFiles, scanFiles } from './finish-build.ts';
import { findManifest, matchesBuild, openManifest } from './manifest/build-manifest.ts';
import { type CachedBundle, linkPackages, cacheBundle } from './bundle/cached-bundle.ts';
import type { AstroPrerenderer } from 'astro';
import type { AstroBuild } from './default-loop.ts';
import type { SourceCollector } from './bundle/collect-sources.ts';
import type { BundleExport } from './prerender-mode.ts';
import { randomUUID } from 'node:crypto';
import { renderContext, type RenderContext } from '#catalogue/site/render-context.ts';
import { getErrorMessage } from '#contracts/index.ts';
import { snapshotLoaders } from './collections/snapshot-loaders.ts';
import { bundleFolder, captureBundle, readAllCollections } from './bundle/astro-internals.ts';
import { fingerprintProject, hasChangedSince } from './bundle/fingerprint-project.ts';
import { createIncompatibleError } from './bundle/intercept-pages.ts';

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

/**
 * Creates a build that renders nothing: it caches the bundle for another process, which doesn't need Vite's memory.
 * Call it before Vite writes anything.
 */
export function exportBundle(
  settings: Settings,
  languages: readonly string[],
  { bundleExport, sources }: { bundleExport: BundleExport; sources: SourceCollector },
): AstroBuild {
  const cacheBundle = bundleCacher(settings, languages, sources);
  let fingerprint = '';
  const { begunMs } = openPageWriter(settings.distFolder);
  return {
    start: (standard): AstroPrerenderer => ({
      ...standard,
      name: 'sortiment:bundle',
      setup: async () => {
        fingerprint = await cacheBundle(standard);
      },
      getStaticPaths: () => Promise.resolve([]),
    }),
    finish: async () => {
      saveSiteFiles(settings, begunMs);
      await initManifest(settings, fingerprint, begunMs);
      bundleExport.end(begunMs);
    },
  };
}

/**
 * Caches the bundle that Vite builds for Astro's rendering. Call it before Vite reads or writes anything, so that
 * concurrent changes are detected.
 *
 * @returns A function that caches the bundle, sets it up in place of Astro, and returns its fingerprint. The
 * fingerprint is random if sources have changed since. Throws BUNDLE_INCOMPATIBLE if the bundle is not as expected or
 * can't be cached.
 */
export function bundleCacher(
  settings: Settings,
  languages: readonly string[],
  collector: SourceCollector,
  unusable?: CachedBundle['unusable'],
): (standard: Pick<AstroPrerenderer, 'setup'>) => Promise<string> {
  const startedMs = Date.now();
  const before = fingerprintProject(settings, languages);
  const source = bundleFolder(settings.distFolder);
  // Files of a killed build would be mistaken for this bundle.
  rmSync(source, { recursive: true, force: true });
  return async (standard) => {
    const recorded: NonNullable<RenderContext['seen']> = new Map();
    renderContext.current = { ...renderContext.current, seen: recorded };
    try {
      const state = await captureBundle(source, async () => standard.setup?.());
      await readAllCollections(source, state);
      const loaders = snapshotLoaders(settings.options);
      const collections = new Map([...recorded].filter(([collection]) => !Object.hasOwn(loaders, collection)));
      const sources = collector.collected(collections);
      const isSame =
        fingerprintProject(settings, languages) === before && !hasChangedSince(settings.root, sources, startedMs);
      const fingerprint = isSame ? fingerprintProject(settings, languages, sources) : randomUUID();
      cacheBundle(buildPaths(settings).bundleFolder, source, {
        fingerprint,
        sources,
        root: settings.root,
        state: { ...state, unrecorded: sources.unrecorded },
        collections,
        ownBase: settings.ownBase,
        unusable,
      });
      return fingerprint;
    } catch (error) {
      throw createIncompatibleError(getErrorMessage(error));
    }
  };
}
