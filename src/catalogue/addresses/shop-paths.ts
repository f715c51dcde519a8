import type { FeedSchemaName } from '#contracts/feed/feed-files.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { sitePath } from './site-paths.ts';
import { toGtin14 } from '#contracts/index.ts';

/** Folder of the product data for shops, in all languages. */
export function feedsPath(): string {
  return sitePath('/feeds/');
}

/** Path of a JSON Schema of the product data. */
export function feedSchemaPath(name: FeedSchemaName): string {
  return `${feedsPath()}${name}.schema.json`;
}

/** @param file `index.json`, `products.ndjson`, `delta/<digest>.json`. */
export function feedFilePath(language: string, file: string): string {
  return `${feedsPath()}${language}/${file}`;
}

/** Path of a product record in the format of the product interface, for static hosts. */
export function recordPath(language: string, gtin: string): string {
  return sitePath(`/${PRODUCT_ROOT}product/${gtin}/${language}.json`);
}

/** Path of the language list in the format of the product interface. */
export function languageListPath(): string {
  return sitePath(`/${PRODUCT_ROOT}language/index.json`);
}

/** Returns the GS1 Digital Link of a product, uncompressed and without a trailing slash. */
export function digitalLink(gtin: string, site: URL): string {
  return site.origin + sitePath(`/01/${toGtin14(gtin)}`);
}
