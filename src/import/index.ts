export type { KindReport, ReportEntry } from './import-report.ts';
export { formatImportReport } from './format-import-report.ts';
export { importProducts, type ProductImport, type ProductImportOptions } from './import-products.ts';
export { importSite, type SiteImport, type SiteImportOptions } from './import-site.ts';
