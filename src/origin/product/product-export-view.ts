import { exportProducts } from '#contracts/product/index.ts';
import { chooseLanguage } from './choose-language.ts';
import type { ProductView } from './product-view.ts';
import { readMoment } from './read-moment.ts';
import { LINES_RENDERER } from './renderers.ts';
import { streamProducts } from './stream-products.ts';

/** An addition: all records in one answer, as stored; no language stands in for another here. */
export const productExportView: ProductView = {
  route: exportProducts,
  name: 'Product Export',
  renderers: [LINES_RENDERER],
  async read(context, { query }) {
    const { chosen } = await chooseLanguage(context, query);
    const filter = { language: chosen, modifiedAfter: readMoment(query, 'modified_after') };
    return new Response(streamProducts(context, filter), {
      headers: { 'Content-Type': LINES_RENDERER.mediaType, 'X-Content-Type-Options': 'nosniff' },
    });
  },
};
