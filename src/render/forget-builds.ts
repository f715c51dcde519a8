import type { Settings } from '#config/index.ts';
import { buildPlaces } from '#config/build-paths.ts';
import { dropBundle } from './bundle/cached-bundle.ts';
import { removeLedger } from './manifest/build-manifest.ts';

/** Makes the next build start from nothing: what is in `dist` isn't known any more. */
export function forgetBuilds(settings: Settings): void {
  const { ledgerFile, bundleFolder: keptFolder } = buildPlaces(settings);
  removeLedger(ledgerFile);
  dropBundle(keptFolder);
}
