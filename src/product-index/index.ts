export { openEmptyProductIndex, openProductIndex, openThrowaway, type OpenProductIndex } from './open-product-index.ts';
export type { IndexedPage, ProductIndex, ProductDigests } from '#catalogue/port/product-index.ts';
export type { ListedGroup } from '#catalogue/port/listed-rows.ts';
export {
  DIRECTORY_LISTS,
  type DirectoryList,
  type DirectoryPage,
  type DirectoryRow,
} from '#catalogue/port/directory.ts';
export { updateProductIndex, updateProductIndexFrom, type ProductIndexChanges } from './update-product-index.ts';
