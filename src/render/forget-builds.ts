import type { Settings } from '#config/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import { dropBundle } from './bundle/cached-bundle.ts';
import { removeManifest } from './manifest/build-manifest.ts';

/** Makes the next build start from nothing: what is in `dist` isn't known any more. */
export function forgetBuilds(settings: Settings): void {
  const { manifestFile, bundleFolder } = buildPaths(settings);
  removeManifest(manifestFile);
  dropBundle(bundleFolder);
}
