export { localPageLoader } from './local-page-loader.ts';
export { normLoader } from './norm-loader.ts';
export { overlayLoader } from './overlay-loader.ts';
export { snapshotLoaders } from './snapshot-loaders.ts';
