import { and, asc, eq } from 'drizzle-orm';
import { SortimentError } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { product } from '#origin/platform/store/schema.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';

/**
 * Finds the records of a product in one or all languages, and locks them until the transaction ends.
 *
 * @throws PRODUCT_UNKNOWN
 */
export async function lockProductRecords(
  tx: Transaction,
  gtin: string,
  language: string | undefined,
): Promise<ProductRecord[]> {
  const rows = await tx
    .select({ record: product.record })
    .from(product)
    .where(and(eq(product.gtin, gtin), language === undefined ? undefined : eq(product.language, language)))
    .orderBy(asc(product.language))
    .for('update');
  if (rows.length > 0) return rows.map(({ record }) => record);
  const where = language === undefined ? '' : ` in ${language}`;
  throw new SortimentError('PRODUCT_UNKNOWN', `There is no product ${gtin}${where}.`, {
    hint: 'See `product list` for the products, or add new ones with `product import`.',
  });
}
