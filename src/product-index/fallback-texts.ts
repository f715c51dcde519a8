import { TEXT_FIELDS, type ProductRecord } from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';

type Borrowed = Partial<Pick<ProductEntry, 'borrowed' | (typeof TEXT_FIELDS)[number]>>;

/**
 * Returns texts of the main language that a record lacks, and their field names. A page shows them in that language,
 * with a notice.
 * @param main The product's record in the main language, if it is still offered.
 */
export function fallbackTexts(record: ProductRecord, main: ProductRecord | undefined): Borrowed {
  if (!main || main.language === record.language) return {};
  const fields = TEXT_FIELDS.filter((field) => !record[field] && main[field]);
  if (fields.length === 0) return {};
  const texts = Object.fromEntries(fields.map((field) => [field, main[field]]));
  return { ...texts, borrowed: { language: main.language, fields } };
}
