import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { docsView } from './docs-view.ts';
import { languageListView } from './language-list-view.ts';
import { productDetailView } from './product-detail-view.ts';
import { productExportView } from './product-export-view.ts';
import { productIndexView } from './product-index-view.ts';
import { productListView } from './product-list-view.ts';
import type { ProductView } from './product-view.ts';

/** The addresses of the interface; the additions are not there at all when they are switched off. */
export function productViews(context: OriginContext): ProductView[] {
  const additions = context.product.additions ? [productListView, productExportView] : [];
  return [productIndexView, productDetailView, languageListView, docsView, ...additions];
}
