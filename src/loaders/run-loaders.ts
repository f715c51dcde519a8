import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { changeEntry } from '#model/change-entry.ts';
import { snapshotEntry } from '#model/entries.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { projectChanges } from '#projection/project-changes.ts';
import { staleSources } from '#projection/stale-sources.ts';

/**
 * Loaders of the collections that every run of a sync changes, by the collections' names: a build loads no others where
 * no record has changed.
 */
export function runLoaders(options: Options) {
  return { snapshot: snapshotLoader(options), changes: changeLoader(options) };
}

/** Collection `changes`: the last runs that changed something, for the feeds of changes. */
export function changeLoader(options: Options) {
  return {
    name: 'sortiment-changes',
    schema: changeEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectChanges(source))),
  } satisfies Loader;
}

/** Collection `snapshot`: one entry, `current`, that says what the pages were built from. */
export function snapshotLoader(options: Options) {
  return {
    name: 'sortiment-snapshot',
    schema: snapshotEntry,
    load: (context) =>
      withSnapshot(context, options, ({ snapshot }) =>
        replaceEntries(context, [
          {
            id: 'current',
            data: { digest: snapshot.digest(), taken: snapshot.takenAt(), stale: staleSources(snapshot) },
          },
        ]),
      ),
  } satisfies Loader;
}
