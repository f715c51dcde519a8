export { createWarmBuilder } from './build-in-child.ts';
export { formatEvent } from './watch-event.ts';
export { watchCatalogue, type WatchCatalogueOptions } from './watch-catalogue.ts';
export type { WatchEvent } from './watch-event.ts';
