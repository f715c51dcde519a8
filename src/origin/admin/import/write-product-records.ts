import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { IMPORT_COMMANDS, PRODUCT_FILE_NAME, type ImportProductResult } from '#contracts/import.ts';
import { formatProblems } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { checkRecord } from '#origin/admin/management/check-record.ts';
import { importStep } from '#origin/admin/management/command.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { digestRecord, upsertProducts } from '#origin/platform/store/upsert-products.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { product } from '#origin/platform/store/schema.ts';
import { getStagingFolder } from './import-job.ts';

/** Returns the records that are new or differ from the stored ones. */
export const checkProducts = importStep(IMPORT_COMMANDS.productCheck, async ({ store }, { records }) => {
  const gtins = [...new Set(records.map(({ gtin }) => gtin))];
  const rows = await store.db.select().from(product).where(inArray(product.gtin, gtins));
  const digests = new Map(rows.map(({ gtin, language, digest }) => [`${gtin} ${language}`, digest]));
  const different = records
    .filter(({ gtin, language, record }) => {
      const known = digests.get(`${gtin} ${language}`);
      return known === undefined || known !== digestRecord(record as ProductRecord);
    })
    .map(({ gtin, language }) => ({ gtin, language }));
  return { message: `${different.length} of ${records.length} records are new or different.`, different };
});

/** Stores product files before the records that reference them, so that no record references a missing file. */
export const writeProductRecords = importStep(IMPORT_COMMANDS.productPut, async (context, { records }) => {
  const outcomes: ImportProductResult[] = [];
  for (const { gtin, language, record: wire, files } of records) {
    const checked = checkRecord(wire, context.publicUrl);
    if ('problems' in checked) {
      outcomes.push({ gtin, language, outcome: 'refused', note: `is not valid:\n${formatProblems(checked.problems)}` });
      continue;
    }
    for (const file of files) await storeFile(context, file);
    const outcome = await saveProduct(context, checked.record);
    outcomes.push({ gtin, language, outcome });
  }
  return { message: `${outcomes.length} records were processed.`, outcomes };
});

async function storeFile(context: OriginContext, { staged, path }: { staged: string; path: string }): Promise<void> {
  const isPlain = path.split('/').every((part) => /^\w[\w.-]*$/.test(part));
  if (!isPlain || !PRODUCT_FILE_NAME.test(basename(path)))
    throw new Error(`${path} is not a valid name for a product file.`);
  const bytes = await readFile(join(getStagingFolder(context), staged));
  const { media } = context.files;
  const present = await media.read(path);
  if (!present?.equals(bytes)) await media.put(path, bytes);
}

function saveProduct({ store }: OriginContext, record: ProductRecord): Promise<ImportProductResult['outcome']> {
  return retryTransaction(store.db, async (tx) => {
    const { gtin } = record;
    const known = await tx
      .select({ language: product.language })
      .from(product)
      .where(inArray(product.gtin, [gtin]));
    const changed = await upsertProducts(tx, [record]);
    if (changed.length === 0) return 'unchanged';
    await announce(tx, { what: 'product', id: gtin, action: known.length > 0 ? 'updated' : 'created' });
    return known.some(({ language }) => language === record.language) ? 'updated' : 'added';
  });
}
