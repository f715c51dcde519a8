import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { product } from '#origin/platform/store/schema.ts';
import { command, formatCount } from './command.ts';
import { lockProductRecords } from './lock-product-records.ts';
import { gtinArgument } from './set-product.ts';

const args = z.strictObject({ gtin: gtinArgument, language: languageCode.optional() });

/** Removes a product in one or all languages. The interface then responds with 404. */
export const removeProduct = command(args, async (context, { gtin, language }) =>
  retryTransaction(context.store.db, async (tx) => {
    const records = await lockProductRecords(tx, gtin, language);
    const inLanguage = language === undefined ? undefined : eq(product.language, language);
    await tx.delete(product).where(and(eq(product.gtin, gtin), inLanguage));
    const [left] = await tx.select({ gtin: product.gtin }).from(product).where(eq(product.gtin, gtin)).limit(1);
    await announce(tx, { what: 'product', id: gtin, action: left ? 'updated' : 'deleted' });
    return { message: `${formatCount(records.length, 'record')} of ${gtin} removed.`, gtin, removed: records.length };
  }),
);
