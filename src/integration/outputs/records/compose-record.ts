import { PRODUCT_FIELDS } from '../../../contracts/product/index.ts';
import type { ProductEntry } from '../../../loaders/entries.ts';
import { composeFeedProduct, type FeedProductOptions } from '../feeds/compose-feed-product.ts';

/**
 * A product as the product interface gives it: its fields in its order, but with addresses of this site, a price only
 * where the site states one, and nothing of the maker's own books.
 */
export function composeRecord(product: ProductEntry, options: FeedProductOptions): Record<string, unknown> {
  const known: Record<string, unknown> = composeFeedProduct(product, options);
  return Object.fromEntries(PRODUCT_FIELDS.map((field) => [field, known[field] ?? (field === 'abas_id' ? '' : null)]));
}
