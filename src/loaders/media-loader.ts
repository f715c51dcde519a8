import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { mediaEntry } from '#model/entries.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { projectMedia } from '#projection/project-media.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';

/** Collection `media`: media of the publishing site, by their ids there. */
export function mediaLoader(options: Options) {
  return {
    name: 'sortiment-media',
    schema: mediaEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectMedia(source))),
  } satisfies Loader;
}
