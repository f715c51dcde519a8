import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { changeEntry } from '#model/change-entry.ts';
import { projectChanges } from '#projection/project-changes.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';

/** Collection `changes`: the last runs that changed something, for the feeds of changes. */
export function changeLoader(options: Options) {
  return {
    name: 'sortiment-changes',
    schema: changeEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectChanges(source))),
  } satisfies Loader;
}
