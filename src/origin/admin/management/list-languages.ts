import { asc, count, eq } from 'drizzle-orm';
import { z } from 'zod';
import { product, productLanguage } from '#origin/platform/store/schema.ts';
import { command } from './command.ts';
import { countOf } from './count-of.ts';

/** The language list, the main language first, with the number of products in each. */
export const listLanguages = command(z.strictObject({}), async (context) => {
  const rows = await context.store.db
    .select({ code: productLanguage.code, name: productLanguage.name, products: count(product.gtin) })
    .from(productLanguage)
    .leftJoin(product, eq(product.language, productLanguage.code))
    .groupBy(productLanguage.code, productLanguage.name, productLanguage.position)
    .orderBy(asc(productLanguage.position), asc(productLanguage.code));
  return { message: countOf(rows.length, 'language'), rows };
});
