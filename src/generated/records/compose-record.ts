import { priceOf } from '#catalogue/products/price.ts';
import {
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  PRODUCT_FIELDS,
  TEXT_FIELDS,
  type ProductField,
  type ProductRecord,
} from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import { composeFeedProduct, type FeedProductOptions } from '../feeds/compose-feed-product.ts';

/** Texts that link to files, and the files: their addresses are those of this site. */
const ADDRESSED = [...TEXT_FIELDS, ...DOCUMENT_FIELDS, ...IMAGE_FIELDS] as const satisfies readonly ProductField[];

/**
 * A product as the product interface gives it, field by field and in its order, but with addresses of this site, a
 * price only where the site states one, and nothing of the maker's own books.
 */
export function composeRecord(
  record: ProductRecord,
  product: ProductEntry,
  options: FeedProductOptions,
): Record<ProductField, unknown> {
  const here = composeFeedProduct(product, options);
  const { content } = options.additions(product.gtin);
  const isStated = priceOf(product, options.price, product.pageLanguage, content).kind === 'amount';
  const changed: Partial<Record<ProductField, unknown>> = {
    abas_id: '',
    ...(!isStated && { price: null }),
    ...Object.fromEntries(ADDRESSED.flatMap((field) => (record[field] ? [[field, here[field]]] : []))),
  };
  const fields = PRODUCT_FIELDS.map((field) => [field, field in changed ? changed[field] : (record[field] ?? null)]);
  return Object.fromEntries(fields) as Record<ProductField, unknown>;
}
