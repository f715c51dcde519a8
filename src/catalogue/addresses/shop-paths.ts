import type { FeedSchemaName } from '#contracts/feed/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { sitePath } from './base.ts';

/** Product data for shops, in all languages. */
export function feedsPath(): string {
  return sitePath('/feeds/');
}

/** JSON Schema of what is there. */
export function feedSchemaPath(name: FeedSchemaName): string {
  return `${feedsPath()}${name}.schema.json`;
}

/** @param file `index.json`, `products.ndjson`, `delta/<digest>.json`. */
export function feedFilePath(language: string, file: string): string {
  return `${feedsPath()}${language}/${file}`;
}

/** The record of a product as the product interface gives it, for hosts that have no server. */
export function recordPath(language: string, gtin: string): string {
  return sitePath(`/${PRODUCT_ROOT}product/${gtin}/${language}.json`);
}

/** The interface's list of languages. */
export function languageListPath(): string {
  return sitePath(`/${PRODUCT_ROOT}language/index.json`);
}
