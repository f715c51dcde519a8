import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { snapshotEntry } from '#model/entries.ts';
import { staleSources } from '#projection/stale-sources.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';

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
