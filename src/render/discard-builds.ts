import type { Settings } from '#config/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import { dropBundle } from './bundle/cached-bundle.ts';
import { removeManifest } from './manifest/build-manifest.ts';

/** Makes the next build start from scratch. */
export function discardBuilds(settings: Settings): void {
  const { manifestFile, bundleFolder } = buildPaths(settings);
  removeManifest(manifestFile);
  dropBundle(bundleFolder);
}
