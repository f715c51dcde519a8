import { product, PRODUCT_FIELDS } from '#contracts/product/index.ts';

/** Fields of a product that hold the address of a document or a picture. */
export const PRODUCT_LINKS = PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri');
