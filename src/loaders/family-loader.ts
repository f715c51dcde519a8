import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { familyEntry } from '#model/entries.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
import { replaceEntries, type ProjectedEntry } from '#product-index/replace-entries.ts';

/** Collection `families`: the groups of the assortment, by their ids there. */
export function familyLoader(options: Options) {
  return {
    name: 'sortiment-families',
    schema: familyEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectFamilies(source))),
  } satisfies Loader;
}

function projectFamilies({ snapshot }: LoaderSource): ProjectedEntry[] {
  return snapshot
    .families()
    .map(({ id, names, descriptions }, position) => ({ id, data: { names, descriptions, position } }));
}
