import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { renderContext } from '#catalogue/port/render-context.ts';
import { productIndexEntry } from '#model/entries.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { projectIndex } from '#product-index/project-products.ts';
import { replaceEntries } from '#product-index/replace-entries.ts';

/**
 * Collection `products`: the pages of every product in every language, id `<language>/<gtin>`. Where the build provides
 * them, Astro's store needs none.
 */
export function productLoader(options: Options) {
  return {
    name: 'sortiment-products',
    schema: productIndexEntry,
    load: (context) =>
      withSnapshot(context, options, (source) => {
        const isProvided = renderContext.current?.provided?.get('products') !== undefined;
        return replaceEntries(context, isProvided ? [] : projectIndex(source));
      }),
  } satisfies Loader;
}
