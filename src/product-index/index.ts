export {
  openEmptyProductIndex,
  openProductIndex,
  openRebuildable,
  type OpenProductIndex,
} from './open-product-index.ts';
export type { IndexedPage, ProductIndex } from '#catalogue/port/product-index.ts';
export { updateProductIndex, type ProductIndexChanges } from './update-product-index.ts';
