import { productPath } from '#catalogue/addresses/paths.ts';
import { productSlug } from '#catalogue/addresses/product-slug.ts';
import { romanise } from '#catalogue/addresses/romanise.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/**
 * Lists the earlier paths of products after changes of names. A language without its own record has the paths of all
 * records that it may have shown.
 */
export function* movedProducts(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  productIndex: Pick<ProductIndex, 'product'>,
): Generator<Redirect> {
  for (const { gtin, language: storedAs, name } of snapshot.pastNames()) {
    for (const language of languages) {
      const product = productIndex.product(language, gtin);
      if (!product || (language !== storedAs && !product.fallback)) continue;
      const from = productPath(language, productSlug(romanise(name), gtin));
      const to = productPath(language, product.slug);
      if (from !== to) yield { from, to };
    }
  }
}
