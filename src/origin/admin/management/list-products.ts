import { asc, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { product } from '#origin/platform/store/schema.ts';
import { command } from './command.ts';
import { countOf } from './count-of.ts';

/** The records of the product interface. */
export const listProducts = command(
  z.strictObject({ language: languageCode.optional() }),
  async (context, { language }) => {
    const found = await context.store.db
      .select({
        gtin: product.gtin,
        language: product.language,
        name: sql<string>`${product.record} ->> 'name'`,
        modified: product.modifiedAt,
      })
      .from(product)
      .where(language === undefined ? undefined : eq(product.language, language))
      .orderBy(asc(product.gtin), asc(product.language));
    const rows = found.map((row) => ({ ...row, modified: row.modified.toISOString() }));
    return { message: countOf(rows.length, 'record'), rows };
  },
);
