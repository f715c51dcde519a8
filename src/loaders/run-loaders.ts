import type { Options } from '#config/index.ts';
import { changeEntry } from '#model/change-entry.ts';
import { snapshotEntry } from '#model/entries.ts';
import { projectChanges } from '#projection/project-changes.ts';
import { listStaleSources } from '#projection/stale-sources.ts';
import { projectedLoader } from './projected-loader.ts';

/**
 * Loaders of the collections that every sync changes, by collection name. If no record has changed, a build runs only
 * these.
 */
export function runLoaders(options: Options) {
  return { snapshot: snapshotLoader(options), changes: changeLoader(options) };
}

/** Collection `changes`: the latest runs with changes, for the change feeds. */
export function changeLoader(options: Options) {
  return projectedLoader(options, 'changes', changeEntry, projectChanges);
}

/** Collection `snapshot`: the single entry `current`, which identifies the snapshot that pages are built from. */
export function snapshotLoader(options: Options) {
  return projectedLoader(options, 'snapshot', snapshotEntry, ({ snapshot }) => [
    {
      id: 'current',
      data: { digest: snapshot.digest(), taken: snapshot.takenAt(), stale: listStaleSources(snapshot) },
    },
  ]);
}
