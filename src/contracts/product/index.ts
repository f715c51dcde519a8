// Excludes `routes.ts`, because every build loads this file and never calls the interface.
export { availability, type Availability } from './product.ts';
export { decimal, toDecimal, type Decimal } from './decimal.ts';
export {
  language,
  languageCode,
  languageName,
  languagePage,
  toBcp47,
  type Language,
  type LanguagePage,
} from './product.ts';
export {
  attribute,
  DIMENSION_FIELDS,
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  LISTED_FIELDS,
  listedProduct,
  material,
  product,
  PRODUCT_FIELDS,
  TEXT_FIELDS,
  getFieldUnit,
  type DimensionField,
  type DocumentField,
  type Product,
  type ProductField,
  type ProductRecord,
} from './product.ts';
export { PRODUCT_ROOT } from './product-root.ts';
export { reviveProduct } from './product.ts';
export {
  parseProduct,
  parseProductLeniently,
  type LastGoodRecord,
  type ProductParseResult,
  type ProductWarning,
} from './parse-product.ts';
