import { readFileSync } from 'node:fs';
import { product, type Product, type ProductRecord } from '#contracts/product/index.ts';
import type { ListedEntry } from '#model/entries.ts';
import { attributeKeys, materialKeys } from '../products/key-values.ts';
import { createProductEntry } from './create-product-entry.ts';

/** The demo names its files by where they lie. */
const NO_FILES = { datasheet: '', safety_datasheet: '', declaration_of_performance: '', image: '', banner: '' };
const DEMO = new URL('../../../content/demo/products.json', import.meta.url);
const records = Object.values(
  JSON.parse(readFileSync(DEMO, 'utf8')) as Record<string, Record<string, ProductRecord>>,
).map((languages): Record<string, Product> =>
  Object.fromEntries(
    Object.entries(languages).map(([language, record]) => [language, product.parse({ ...record, ...NO_FILES })]),
  ),
);

/** How many products of the demo there are to take from. */
export const DEMO_PRODUCTS = records.length;

/**
 * A product group for tests, of products of the demo.
 * @param taken Their places in the demo, as often as they are to stand there.
 */
export function createGroup(taken: readonly number[], language: string): ListedEntry[] {
  return taken.flatMap((place, i) => {
    const languages = records[place % records.length] ?? {};
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
      documentFields: place % 3 === 0 ? ['datasheet', 'safety_datasheet'] : ['datasheet'],
      attributeKeys: attributeKeys(record.attributes, reference.attributes),
      materialKeys: materialKeys(record.materials, reference.materials),
    });
  });
}
