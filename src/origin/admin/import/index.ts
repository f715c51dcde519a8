export { beginImport } from './begin-import.ts';
export { checkRecords } from './put-records.ts';
export { listMissing } from './list-missing.ts';
export { checkProducts, putProductRecords } from './put-product-records.ts';
export { putRecords } from './put-records.ts';
export { putSettings } from './put-settings.ts';
export { resolveReferences } from './references.ts';
