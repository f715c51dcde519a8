import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { postEntry } from '#model/entries.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { projectPosts } from '#projection/project-posts.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';

/** Collection `posts`: posts of the publishing site, id `<language>/<slug>`. */
export function postLoader(options: Options) {
  return {
    name: 'sortiment-posts',
    schema: postEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectPosts(source))),
  } satisfies Loader;
}
