import type { FeedSchemaName } from '#contracts/feed/feed-files.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { sitePath } from './site-paths.ts';
import { toGtin14 } from '#contracts/index.ts';

/** Folder of the product data for shops, in all languages. */
export const feedsPath = () => sitePath('/feeds/');

/** Path of a JSON Schema of the product data. */
export const feedSchemaPath = (name: FeedSchemaName) => `${feedsPath()}${name}.schema.json`;

/** @param file `index.json`, `products.ndjson`, `delta/<digest>.json`. */
export const feedFilePath = (language: string, file: string) => `${feedsPath()}${language}/${file}`;

/** Path of a product record in the format of the product interface, for static hosts. */
export const recordPath = (language: string, gtin: string) =>
  sitePath(`/${PRODUCT_ROOT}product/${gtin}/${language}.json`);

/** Path of the language list in the format of the product interface. */
export const languageListPath = () => sitePath(`/${PRODUCT_ROOT}language/index.json`);

/** Returns the GS1 Digital Link of a product, uncompressed and without a trailing slash. */
export const digitalLink = (gtin: string, site: URL) => site.origin + sitePath(`/01/${toGtin14(gtin)}`);
