import type { Options } from '#config/index.ts';
import { changeEntry } from '#model/change-entry.ts';
import { snapshotEntry } from '#model/entries.ts';
import { projectChanges } from '#projection/project-changes.ts';
import { staleSources } from '#projection/stale-sources.ts';
import { projectedLoader } from './projected-loader.ts';

/**
 * Loaders of the collections that every run of a sync changes, by the collections' names: a build loads no others where
 * no record has changed.
 */
export function runLoaders(options: Options) {
  return { snapshot: snapshotLoader(options), changes: changeLoader(options) };
}

/** Collection `changes`: the last runs that changed something, for the feeds of changes. */
export function changeLoader(options: Options) {
  return projectedLoader(options, 'changes', changeEntry, projectChanges);
}

/** Collection `snapshot`: one entry, `current`, that says what the pages were built from. */
export function snapshotLoader(options: Options) {
  return projectedLoader(options, 'snapshot', snapshotEntry, ({ snapshot }) => [
    {
      id: 'current',
      data: { digest: snapshot.digest(), taken: snapshot.takenAt(), stale: staleSources(snapshot) },
    },
  ]);
}
