import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { PRODUCT_FIELDS, type ProductRecord } from '#contracts/product/index.ts';
import { product } from './schema.ts';
import type { Database } from './store.ts';

const ROWS_PER_STATEMENT = 200;

/**
 * Inserts and updates product records. Unchanged records preserve their modification time.
 *
 * @param modifiedAt modification time of the changed records. @default now
 * @returns keys of the new and changed records
 */
export async function upsertProducts(
  db: Pick<Database, 'insert'>,
  records: readonly ProductRecord[],
  modifiedAt?: Date,
): Promise<{ gtin: string; language: string }[]> {
  const changed = [];
  for (let start = 0; start < records.length; start += ROWS_PER_STATEMENT) {
    const rows = records.slice(start, start + ROWS_PER_STATEMENT).map((record) => ({
      gtin: record.gtin,
      language: record.language,
      record,
      digest: digestRecord(record),
      modifiedAt: modifiedAt ?? sql`now()`,
    }));
    const statement = db
      .insert(product)
      .values(rows)
      .onConflictDoUpdate({
        target: [product.gtin, product.language],
        set: { record: sql`excluded.record`, digest: sql`excluded.digest`, modifiedAt: sql`excluded.modified_at` },
        setWhere: sql`${product.digest} <> excluded.digest`,
      })
      .returning({ gtin: product.gtin, language: product.language });
    changed.push(...(await statement));
  }
  return changed;
}

/** Digest of a record, independent of the order of its fields. */
export function digestRecord(record: ProductRecord): string {
  const values = PRODUCT_FIELDS.map((field) => record[field] ?? null);
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
