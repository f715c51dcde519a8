export { localPageLoader } from './overlay-loader.ts';
export { normLoader } from './overlay-loader.ts';
export { overlayLoader } from './overlay-loader.ts';
export { snapshotLoaders } from './snapshot-loaders.ts';
