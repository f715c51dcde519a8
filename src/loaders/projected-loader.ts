import type { Loader, LoaderContext } from 'astro/loaders';
import type { z } from 'zod';
import type { Options } from '#config/index.ts';
import { replaceEntries, type ProjectedEntry } from '#product-index/replace-entries.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';

/**
 * Creates the loader of a collection that is derived from the snapshot.
 * @param project Derives its entries.
 */
export function projectedLoader<Schema extends z.ZodType>(
  options: Options,
  collection: string,
  schema: Schema,
  project: (source: LoaderSource) => Iterable<ProjectedEntry>,
) {
  return {
    name: `sortiment-${collection}`,
    schema,
    project,
    load: (context: LoaderContext) =>
      withSnapshot(context, options, (source) => replaceEntries(context, project(source))),
  } satisfies Loader & { project: unknown };
}
