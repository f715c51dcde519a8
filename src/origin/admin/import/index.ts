export { startImport } from './start-import.ts';
export { checkRecords } from './write-records.ts';
export { listMissing } from './list-missing.ts';
export { checkProducts, writeProductRecords } from './write-product-records.ts';
export { writeRecords } from './write-records.ts';
export { writeImportedSettings } from './write-settings.ts';
export { resolveReferences } from './references.ts';
