export { createWarmBuilder } from './build-warm.ts';
export { formatEvent } from './watch-event.ts';
export { watchCatalogue, type WatchCatalogueOptions } from './watch-catalogue.ts';
export type { WatchEvent } from './watch-event.ts';
