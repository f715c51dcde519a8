import type { Options } from '#config/index.ts';
import { renderContext } from '#catalogue/port/render-context.ts';
import { productIndexEntry } from '#model/entries.ts';
import { projectIndex } from '#product-index/project-products.ts';
import { projectedLoader } from './projected-loader.ts';

/**
 * Collection `products`: the pages of every product in every language, id `<language>/<gtin>`. Where the build provides
 * them, Astro's store needs none.
 */
export function productLoader(options: Options) {
  return projectedLoader(options, 'products', productIndexEntry, (source) => {
    const isProvided = renderContext.current?.provided?.get('products') !== undefined;
    return isProvided ? [] : projectIndex(source);
  });
}
