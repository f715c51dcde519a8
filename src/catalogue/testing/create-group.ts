import { readFileSync } from 'node:fs';
import { product, type Product, type ProductRecord } from '#contracts/product/index.ts';
import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { attributeKeys, materialKeys } from '../products/key-values.ts';
import { createProductEntry } from './create-product-entry.ts';

/** The demo references files by local paths, which the schema rejects. */
const NO_FILES = { datasheet: '', safety_datasheet: '', declaration_of_performance: '', image: '', banner: '' };
const DEMO = new URL('../../../content/demo/products.json', import.meta.url);
const records = Object.values(
  JSON.parse(readFileSync(DEMO, 'utf8')) as Record<string, Record<string, ProductRecord>>,
).map((languages): Record<string, Product> =>
  Object.fromEntries(
    Object.entries(languages).map(([language, record]) => [language, product.parse({ ...record, ...NO_FILES })]),
  ),
);

/** Number of products in the demo. */
export const DEMO_PRODUCTS = records.length;

/**
 * Creates a product group from products of the demo.
 * @param indexes Indexes of the products in the demo. They may repeat.
 */
export function createGroup(indexes: readonly number[], language: string): ProductListEntry[] {
  return indexes.flatMap((index, i) => {
    const languages = records[index % records.length] ?? {};
    const record = languages[language];
    const reference = languages['de-de'];
    if (!record || !reference) return [];
    const gtin = String(9_524_000_000_000 + i);
    return createProductEntry({
      ...record,
      gtin,
      language,
      pageLanguage: language,
      slug: `product-${gtin}`,
      position: i,
      documentFields: index % 3 === 0 ? ['datasheet', 'safety_datasheet'] : ['datasheet'],
      attributeKeys: attributeKeys(record.attributes, reference.attributes),
      materialKeys: materialKeys(record.materials, reference.materials),
    });
  });
}
