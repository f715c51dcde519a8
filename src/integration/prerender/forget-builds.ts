import type { Settings } from '#config/index.ts';
import { buildPlaces } from './build-places.ts';
import { dropBundle } from './kept-bundle.ts';
import { removeLedger } from './page-ledger.ts';

/** Makes the next build start from nothing: what is in `dist` isn't known any more. */
export function forgetBuilds(settings: Settings): void {
  const { ledgerFile, bundleFolder: keptFolder } = buildPlaces(settings);
  removeLedger(ledgerFile);
  dropBundle(keptFolder);
}
