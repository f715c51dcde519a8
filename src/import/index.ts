export type { KindReport, LeftOut } from './import-report.ts';
export { formatImport } from './format-import.ts';
export { importProducts, type ProductImport, type ProductImportOptions } from './import-products.ts';
export { importSite, type SiteImport, type SiteImportOptions } from './import-site.ts';
