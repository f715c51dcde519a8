import type { ProductEntry } from '#model/entries.ts';

/** What lists show of a product. */
export type ListedProduct = Pick<
  ProductEntry,
  | 'name'
  | 'gtin'
  | 'language'
  | 'slug'
  | 'item_number'
  | 'availability'
  | 'application_short'
  | 'intro'
  | 'attributes'
  | 'attributeKeys'
  | 'imageAsset'
  | 'length'
  | 'width'
  | 'height'
>;
