export { createWarmBuilder } from './build-warm.ts';
export { formatEvent } from './format-event.ts';
export { readInterval } from './read-interval.ts';
export { watchCatalogue, type WatchCatalogueOptions } from './watch-catalogue.ts';
export type { WatchEvent } from './watch-event.ts';
