export { buildSite, type BuiltSite } from './build-site.ts';
export { listAddresses } from './list-addresses.ts';
export { serveSite, type ServedSite, type ServeSiteOptions } from './serve-site.ts';
export { startCatalogue, type StartCatalogueOptions } from './start-catalogue.ts';
export { formatBuildSummary, formatSyncSummary } from './format-summary.ts';
export { syncCatalogue, type SyncCatalogueOptions } from './sync-catalogue.ts';
