import { z } from 'zod';
import { formatProblems, SortimentError } from '#contracts/index.ts';
import { languageCode, type ProductField, type ProductRecord } from '#contracts/product/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import { putProducts, retryTransaction } from '#origin/platform/store/index.ts';
import { checkRecord } from './check-record.ts';
import { command } from './command.ts';
import { findRecords } from './find-records.ts';
import { gtin13 } from './gtin-argument.ts';
import { readChanges, type Changes } from './read-changes.ts';

const args = z.strictObject({
  gtin: gtin13,
  /** All languages of the product without one. */
  language: languageCode.optional(),
  changes: z.array(z.string()).min(1, { error: 'are missing: write at least one field=value' }),
});

/** Changes fields of a product; the contract decides whether the outcome may stand. */
export const setProduct = command(args, async (context, { gtin, language, changes }) => {
  const wanted = readChanges(changes);
  return retryTransaction(context.store.db, async (tx) => {
    const before = await findRecords(tx, gtin, language);
    const after = before.map((record) => change(record, wanted, context.publicUrl));
    const put = await putProducts(tx, after);
    if (put.length > 0) await announce(tx, { what: 'product', id: gtin, action: 'updated' });
    const lines = before.flatMap((record) => describe(record, wanted));
    const changed = lines.length > 0;
    return { message: changed ? lines.join('\n') : 'Nothing is different from before.', gtin, changed };
  });
});

function change(record: ProductRecord, changes: Changes, publicUrl: string): ProductRecord {
  const checked = checkRecord({ ...record, ...changes }, publicUrl);
  if ('record' in checked) return checked.record;
  const { gtin, language } = record;
  throw new SortimentError(
    'PRODUCT_INVALID',
    `${gtin} ${language} would not be valid:\n${formatProblems(checked.problems)}`,
    {
      hint: 'Nothing was changed. Correct the values and run it again.',
    },
  );
}

function describe(record: ProductRecord, changes: Changes): string[] {
  return (Object.keys(changes) as ProductField[])
    .map((field) => [field, JSON.stringify(record[field] ?? null), JSON.stringify(changes[field])] as const)
    .filter(([, before, after]) => before !== after)
    .map(([field, before, after]) => `${record.gtin} ${record.language} ${field}: ${before} -> ${after}`);
}
