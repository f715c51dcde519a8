import { getProduct } from '#contracts/product/index.ts';
import { findLanguages } from './find-languages.ts';
import { findProduct } from './find-product.ts';
import { presentProduct } from './present-product.ts';
import { ProductRefusal } from './product-refusal.ts';
import type { ProductView } from './product-view.ts';
import { readLanguage } from './read-language.ts';
import { refuseLanguage } from './refuse-language.ts';
import { JSON_RENDERER, PAGE_RENDERER } from './renderers.ts';

/**
 * One product. Without `?language=` it comes in the main language (`Accept-Language` doesn't count). A language
 * that nobody knows and one that only this product lacks follow the same rule, the knob `unknownLanguage`.
 */
export const productDetailView: ProductView = {
  route: getProduct,
  name: 'Product Detail',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  async read(context, { params, query }) {
    const wanted = readLanguage(query);
    const found = await findProduct(context, params['gtin'] ?? '', wanted);
    if (wanted !== undefined && found?.language !== wanted) {
      // A wrong parameter is told before an unknown product, as validation comes before the look-up.
      const isKnown = !found && (await findLanguages(context)).some(({ code }) => code === wanted);
      const refusal = isKnown ? undefined : refuseLanguage(context, query);
      if (refusal) throw refusal;
    }
    if (!found) throw new ProductRefusal('noSuchProduct');
    return presentProduct(context, found.record);
  },
};
