import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { pageEntry } from '#model/entries.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { projectPages } from '#projection/project-pages.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';

/** Collection `pages`: pages of the publishing site, id `<language>/<slugs from the top>`. */
export function pageLoader(options: Options) {
  return {
    name: 'sortiment-pages',
    schema: pageEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectPages(source))),
  } satisfies Loader;
}
