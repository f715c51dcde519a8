import { outputPath } from '#catalogue/addresses/site-paths.ts';
import { languageListPath, recordPath } from '#catalogue/addresses/shop-paths.ts';
import { createPriceView } from '#catalogue/products/price.ts';
import {
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  PRODUCT_FIELDS,
  TEXT_FIELDS,
  type ProductField,
} from '#contracts/product/index.ts';
import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { type FeedProductOptions, composeFeedProduct, feedProductOptions } from '../feeds/compose-feed-product.ts';
import { changedGtins, type FileGenerator, type GeneratorContext } from '../generator.ts';

/** Fields with URLs, which are replaced by URLs of this site. */
const URL_FIELDS = [...TEXT_FIELDS, ...DOCUMENT_FIELDS, ...IMAGE_FIELDS] as const satisfies readonly ProductField[];

/**
 * Generates the responses of the product interface as files, for static hosts: the list of languages and each current
 * product per language. Query parameters become file names.
 */
export const records: FileGenerator = {
  name: 'records',
  takesChanges: true,
  update: (context) => {
    const { settings, languages, productIndex, changes, put, remove } = context;
    if (!settings.options.shops.records) return;
    put(outputPath(languageListPath()), `${JSON.stringify(languages.map(({ code, name }) => ({ code, name })))}\n`);
    for (const { code } of languages) {
      const options = feedProductOptions(context, code);
      const all = () => productIndex.partDigests(code, ALL_BUCKETS).map(({ gtin }) => gtin);
      for (const gtin of changedGtins(changes, code) ?? all()) {
        const listed = productIndex.product(code, gtin);
        const file = outputPath(recordPath(code, gtin));
        if (!listed || listed.archived || listed.fallback) remove(file);
        else
          put(
            file,
            () => `${JSON.stringify(composeRecord(context, listed, options))}\n`,
            productIndex.digestOf(listed),
          );
      }
    }
  },
};

const ALL_BUCKETS = { from: 0, to: Infinity };

/**
 * Creates a record in the format and field order of the product interface, with URLs of this site. The price is
 * included only if the site shows it. Internal fields of the manufacturer are empty.
 */
function composeRecord(
  { snapshot, readProduct }: GeneratorContext,
  listed: ProductListEntry,
  options: FeedProductOptions,
): object {
  const product = readProduct(listed);
  const record = snapshot.product(listed.gtin, listed.storedAs)?.record;
  if (!record) return {};
  const feedProduct = composeFeedProduct(product, options);
  const { content } = options.additions(product.gtin);
  const isStated = createPriceView(product, options.price, product.pageLanguage, content).kind === 'amount';
  const changed: Partial<Record<ProductField, unknown>> = {
    abas_id: '',
    ...(!isStated && { price: null }),
    ...Object.fromEntries(URL_FIELDS.flatMap((field) => (record[field] ? [[field, feedProduct[field]]] : []))),
  };
  const fields = PRODUCT_FIELDS.map((field) => [field, field in changed ? changed[field] : (record[field] ?? null)]);
  return Object.fromEntries(fields);
}
