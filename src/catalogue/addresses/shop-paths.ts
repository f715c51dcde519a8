import type { FeedSchemaName } from '../../contracts/feed/index.ts';
import { PRODUCT_ROOT } from '../../contracts/product/index.ts';

/** Product data for shops. */
export const FEEDS_PATH = '/feeds/';

/** JSON Schema of what is there. */
export function feedSchemaPath(name: FeedSchemaName): string {
  return `${FEEDS_PATH}${name}.schema.json`;
}

/** @param file `index.json`, `products.ndjson`, `delta/<digest>.json`. */
export function feedFilePath(language: string, file: string): string {
  return `${FEEDS_PATH}${language}/${file}`;
}

/** The record of a product as the product interface gives it, for hosts that have no server. */
export function recordPath(language: string, gtin: string): string {
  return `/${PRODUCT_ROOT}product/${gtin}/${language}.json`;
}

/** The interface's list of languages. */
export const LANGUAGE_LIST_PATH = `/${PRODUCT_ROOT}language/index.json`;
