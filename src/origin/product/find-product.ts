import { asc, eq, sql } from 'drizzle-orm';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { product, productLanguage } from '#origin/platform/store/schema.ts';

/**
 * A product's record: in the wanted language where there is one, else in the first language, by the order of
 * the language list, that has one. The caller tells the cases apart by `language`.
 */
export async function findProduct(
  context: OriginContext,
  gtin: string,
  wanted: string | undefined,
): Promise<{ record: ProductRecord; language: string } | undefined> {
  const wantedFirst = wanted === undefined ? [] : [sql`case when ${product.language} = ${wanted} then 0 else 1 end`];
  const [found] = await context.store.db
    .select({ record: product.record, language: product.language })
    .from(product)
    .leftJoin(productLanguage, eq(productLanguage.code, product.language))
    .where(eq(product.gtin, gtin))
    .orderBy(...wantedFirst, sql`${productLanguage.position} asc nulls last`, asc(product.language))
    .limit(1);
  return found;
}
