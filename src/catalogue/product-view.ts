import type { ProductEntry } from '../loaders/entries.ts';
import type { Site } from './load-site.ts';
import { relatedProducts } from './related-products.ts';
import type { Family } from './stock-shelves.ts';

/** A product and what its page shows around it. */
export interface ProductView {
  product: ProductEntry;
  family: Family | undefined;
  related: readonly ProductEntry[];
  /** The product to take instead. */
  successor: ProductEntry | undefined;
}

const MAX_RELATED = 4;

export function productView(site: Pick<Site, 'shelves' | 'successor'>, product: ProductEntry): ProductView {
  const shelf = site.shelves(product.pageLanguage).find(({ family }) => family && family.id === product.family);
  return {
    product,
    family: shelf?.family,
    related: shelf ? relatedProducts(shelf.products, product.gtin, MAX_RELATED) : [],
    successor: site.successor(product),
  };
}
