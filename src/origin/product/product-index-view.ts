import {
  getProduct,
  getProductDocs,
  getProductIndex,
  listLanguages,
  PRODUCT_ADDITIONS,
  PRODUCT_ROOT,
} from '#contracts/product/index.ts';
import { chooseLanguage } from './choose-language.ts';
import type { ProductView } from './product-view.ts';
import { JSON_RENDERER, PAGE_RENDERER } from './renderers.ts';

const LINKS = { product: getProduct, language: listLanguages, docs: getProductDocs };

/** The root: names of what there is and where. The product's address is a template, `{gtin}` to be filled in. */
export const productIndexView: ProductView = {
  route: getProductIndex,
  name: 'Product Index',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  async read(context, { query }) {
    const { chosen } = await chooseLanguage(context, query);
    const links = { ...LINKS, ...(context.product.additions && PRODUCT_ADDITIONS) };
    return Object.fromEntries(
      Object.entries(links).map(([name, route]) => {
        const address = `${context.publicUrl}/${PRODUCT_ROOT}${route.path.replace(/<(\w+)>/g, '{$1}')}`;
        return [name, route === getProduct && chosen ? `${address}?language=${chosen}` : address];
      }),
    );
  },
};
